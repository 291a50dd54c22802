// SPDX-License-Identifier: BSD-2-Clause
// What the page does beyond being read: filter, search, keys, theme. Nothing is fetched, and nothing is made of text
// but text.
"use strict";

(function () {
	const $ = (id) => document.getElementById(id);
	const steps = Array.from(document.querySelectorAll(".step"));
	const blocks = Array.from(document.querySelectorAll(".block"));
	const scenarios = Array.from(document.querySelectorAll(".scenario"));
	const chips = Array.from(document.querySelectorAll(".chip"));
	const texts = new Map(); // of steps that were searched

	// ---- Filter ----

	const pressed = (chip) => chip.getAttribute("aria-pressed") === "true";
	const press = (chip, on) => chip.setAttribute("aria-pressed", String(on));

	const hostNumbers = new Map(); // several scenarios may name one host
	Array.from($("hosts").children).forEach((option, number) => {
		const name = option.value.toLowerCase();
		hostNumbers.set(name, (hostNumbers.get(name) || []).concat(number));
	});

	function options(select, names) {
		Array.from(new Set(names)).sort().forEach((name) => {
			select.append(new Option(name, name));
		});
		select.parentNode.hidden = select.length < 3;
	}

	const tagsOf = (step) => Array.from(step.getElementsByClassName("tag"), (tag) => tag.textContent);
	options($("tag"), Array.from(document.querySelectorAll(".tag"), (tag) => tag.textContent));
	options($("plugin"), steps.map((step) => step.dataset.p));
	$("tag").parentNode.hidden = $("tag").length < 2;
	$("host").parentNode.hidden = hostNumbers.size < 2;

	function textOf(step) {
		let text = texts.get(step);
		if (text === undefined) {
			text = step.textContent.toLowerCase();
			texts.set(step, text);
		}
		return text;
	}

	// The numbers of the hosts that are asked for; null: all. A whole name is that host, a part of one all that have it.
	function wantedHosts() {
		const word = $("host").value.trim().toLowerCase();
		if (!word)
			return null;
		if (hostNumbers.has(word))
			return new Set(hostNumbers.get(word));
		const numbers = new Set();
		hostNumbers.forEach((list, name) => {
			if (name.includes(word))
				list.forEach((number) => numbers.add(number));
		});
		return numbers;
	}

	function runsOn(step, wanted) {
		return step.dataset.h.split(" ").some((range) => {
			const ends = range.split("-").map(Number);
			for (let number = ends[0]; number <= ends[ends.length - 1]; number++)
				if (wanted.has(number))
					return true;
			return false;
		});
	}

	function filter() {
		const verdicts = new Set(chips.filter((chip) => pressed(chip)).map((chip) => chip.value));
		const words = $("q").value.toLowerCase().split(/\s+/).filter(Boolean);
		const tag = $("tag").value, plugin = $("plugin").value, hosts = wantedHosts();
		let shown = 0;

		steps.forEach((step) => {
			const show = (!verdicts.size || verdicts.has(step.dataset.v)) &&
				(!plugin || step.dataset.p === plugin) &&
				(!tag || tagsOf(step).includes(tag)) &&
				(!hosts || runsOn(step, hosts)) &&
				words.every((word) => textOf(step).includes(word));
			if (step.hidden === show)
				step.hidden = !show;
			shown += show;
		});
		blocks.forEach((block) => { block.hidden = !block.querySelector(".step:not([hidden])"); });
		scenarios.forEach((scenario) => { scenario.hidden = !scenario.querySelector(".block:not([hidden])"); });
		$("shown").textContent = shown === steps.length ? shown + " steps" : shown + " of " + steps.length + " steps";
		remember(verdicts);
	}

	// ---- The filter in the address: what was found can be passed on ----

	function remember(verdicts) {
		const state = new URLSearchParams();
		if (verdicts.size)
			state.set("verdict", Array.from(verdicts).join(","));
		["q", "tag", "plugin", "host"].forEach((id) => {
			if ($(id).value.trim())
				state.set(id, $(id).value.trim());
		});
		const text = state.toString();
		if (text || location.hash.startsWith("#?"))
			history.replaceState(null, "", text ? "#?" + text : "#steps");
	}

	function recall() {
		if (!location.hash.startsWith("#?"))
			return;
		const state = new URLSearchParams(location.hash.slice(2));
		const verdicts = (state.get("verdict") || "").split(",");
		chips.forEach((chip) => { press(chip, verdicts.includes(chip.value)); });
		["q", "tag", "plugin", "host"].forEach((id) => { $(id).value = state.get(id) || ""; });
		$("steps").scrollIntoView();
	}

	let timer = 0;
	function soon() {
		clearTimeout(timer);
		timer = setTimeout(filter, steps.length > 1000 ? 120 : 0);
	}

	function clear() {
		chips.forEach((chip) => { press(chip, false); });
		["q", "tag", "plugin", "host"].forEach((id) => { $(id).value = ""; });
		filter();
	}

	chips.forEach((chip) => chip.addEventListener("click", () => {
		press(chip, !pressed(chip));
		filter();
	}));
	["q", "tag", "plugin", "host"].forEach((id) => $(id).addEventListener("input", soon));
	$("filter").addEventListener("submit", (event) => event.preventDefault());
	$("clear").addEventListener("click", clear);

	// ---- Steps ----

	const summaryOf = (step) => step.firstElementChild;

	// The step that has the focus, else the last one that starts above the middle of the window.
	function current() {
		return document.activeElement ? document.activeElement.closest(".step") : null;
	}

	function go(step) {
		summaryOf(step).focus({ preventScroll: true });
		summaryOf(step).scrollIntoView({ block: "nearest" });
	}

	function move(by, wanted) {
		const from = current();
		let at = from ? steps.indexOf(from) + by : by > 0 ? 0 : steps.length - 1;
		while (at >= 0 && at < steps.length && !(steps[at].hidden === false && wanted(steps[at])))
			at += by;
		if (at >= 0 && at < steps.length)
			go(steps[at]);
	}

	const any = () => true;
	const notPassed = (step) => step.dataset.v !== "pass" && step.dataset.v !== "skip";

	// A link to a step opens it, also where a filter hides it.
	function follow() {
		const target = location.hash.length > 1 && !location.hash.startsWith("#?") ? $(location.hash.slice(1)) : null;
		const step = target ? target.closest(".step") : null;
		if (!step)
			return;
		if (step.hidden)
			clear();
		step.open = true;
		go(step);
		summaryOf(step).scrollIntoView({ block: "start" });
	}

	document.addEventListener("click", (event) => {
		const link = event.target.closest ? event.target.closest("a[href^='#s']") : null;
		if (link && link.hash === location.hash)
			follow();
	});
	window.addEventListener("hashchange", () => {
		if (location.hash.startsWith("#?")) {
			recall();
			filter();
		} else {
			follow();
		}
	});

	// ---- Theme ----

	const themes = ["auto", "light", "dark"];

	function setTheme(theme) {
		if (theme === "auto")
			delete document.documentElement.dataset.theme;
		else
			document.documentElement.dataset.theme = theme;
		$("theme").textContent = "theme: " + theme;
	}

	// A page of a file may not be allowed to keep anything: then the theme is that of this visit.
	function kept() {
		try {
			return localStorage.getItem("rdmaspec-theme") || "auto";
		} catch (error) {
			return "auto";
		}
	}

	function nextTheme() {
		const theme = themes[(themes.indexOf(document.documentElement.dataset.theme || "auto") + 1) % 3];
		setTheme(theme);
		try {
			localStorage.setItem("rdmaspec-theme", theme);
		} catch (error) {
			// not kept
		}
	}

	setTheme(themes.includes(kept()) ? kept() : "auto");
	$("theme").addEventListener("click", nextTheme);
	$("help").addEventListener("click", () => $("keys").showModal());

	// ---- Keys ----

	function escape(typing) {
		const step = current();
		if (typing || !step) {
			clear();
			if (document.activeElement)
				document.activeElement.blur();
		} else if (step.open) {
			step.open = false;
			go(step);
		} else {
			summaryOf(step).blur();
		}
	}

	const commands = {
		"/": () => { $("q").focus(); $("q").select(); },
		"j": () => move(1, any),
		"k": () => move(-1, any),
		"n": () => move(1, notPassed),
		"p": () => move(-1, notPassed),
		"t": nextTheme,
		"?": () => $("keys").showModal(),
	};

	document.addEventListener("keydown", (event) => {
		if (event.ctrlKey || event.altKey || event.metaKey || $("keys").open)
			return;
		const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName || "");
		if (event.key === "Escape") {
			escape(typing);
		} else if (typing) {
			if (event.key !== "Enter" || event.target.id !== "q")
				return;
			clearTimeout(timer);
			filter();
			event.target.blur();
			move(1, any);
		} else if (Object.hasOwn(commands, event.key)) {
			commands[event.key]();
		} else {
			return;
		}
		event.preventDefault();
	});

	$("tools").hidden = false;
	$("filter").hidden = false;
	recall();
	filter();
	follow();
})();
