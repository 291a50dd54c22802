/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsim and its console: one command at a time, each answered by all that comes before the next prompt. */
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>

#include "agent/simulator_internal.h"
#include "base/cleanup.h"

#define PROMPT "sim> "
#define COMMAND_MAX 125 /* ibsim reads 127 bytes at once, the end of the line among them */
#define ANSWER_MS 60000
#define WARNINGS_KEPT 65536

static void send_next(struct simulator *simulator);

static void on_written(uv_write_t *request, int status)
{
	free(request->data);
	free(request);
}

static void write_console(struct simulator *simulator, const char *text)
{
	uv_write_t *request = xcalloc(1, sizeof(*request));
	uv_buf_t buf = {.base = xasprintf("%s\n", text), .len = strlen(text) + 1};

	request->data = buf.base;
	if (uv_write(request, (uv_stream_t *)&simulator->console, &buf, 1, on_written) < 0)
		on_written(request, UV_EPIPE); /* ibsim is gone, which its end will tell */
}

static void enqueue(struct simulator *simulator, const char *text,
		    void (*answered)(struct simulator *, const char *, const char *))
{
	struct console_command *command = xcalloc(1, sizeof(*command));

	command->text = xstrdup(text);
	command->answered = answered;
	STAILQ_INSERT_TAIL(&simulator->queue, command, next);
	send_next(simulator);
}

static void send_next(struct simulator *simulator)
{
	struct console_command *command = STAILQ_FIRST(&simulator->queue);

	if (simulator->asking || !command || simulator->phase >= PHASE_FAILED)
		return;
	simulator->asking = true;
	write_console(simulator, command->text);
	if (simulator->phase >= PHASE_COMMANDS)
		simulator_arm(simulator, ANSWER_MS);
}

static void answered(struct simulator *simulator)
{
	struct console_command *command = STAILQ_FIRST(&simulator->queue);
	AUTO_FREE char *answer = buf_take(&simulator->answer);

	STAILQ_REMOVE_HEAD(&simulator->queue, next);
	simulator->asking = false;
	simulator_arm(simulator, 0);
	command->answered(simulator, command->text, answer);
	free(command->text);
	free(command);
	send_next(simulator);
}

static bool prompted(struct buf *said)
{
	size_t length = strlen(PROMPT);

	if (said->length < length || memcmp(said->data + said->length - length, PROMPT, length) != 0)
		return false;
	said->length -= length;
	said->data[said->length] = '\0';
	return true;
}

static void on_output(uv_stream_t *stream, ssize_t got, const uv_buf_t *buf)
{
	struct simulator *simulator = stream->data;

	if (got > 0)
		buf_add(&simulator->answer, buf->base, got);
	if (got < 0)
		uv_read_stop(stream);
	if (got <= 0 || !prompted(&simulator->answer))
		return;
	if (simulator->phase == PHASE_LOADING) {
		buf_clear(&simulator->answer);
		ibsim_loaded(simulator);
	} else if (simulator->asking) {
		answered(simulator);
	}
}

static void on_errors(uv_stream_t *stream, ssize_t got, const uv_buf_t *buf)
{
	struct simulator *simulator = stream->data;

	/* It warns of each port line of its own format: the last ones count. */
	if (got > 0 && simulator->warnings.length > WARNINGS_KEPT)
		buf_clear(&simulator->warnings);
	if (got > 0)
		buf_add(&simulator->warnings, buf->base, got);
	if (got < 0)
		uv_read_stop(stream);
}

int ibsim_open(struct simulator *simulator, uv_loop_t *loop, int in, int out, int err)
{
	uv_pipe_t *pipes[] = {&simulator->console, &simulator->output, &simulator->errors};
	int fds[] = {in, out, err};

	STAILQ_INIT(&simulator->queue);
	for (int i = 0; i < 3; i++) {
		uv_pipe_init(loop, pipes[i], 0);
		pipes[i]->data = simulator;
		simulator->open_handles++;
		uv_pipe_open(pipes[i], fds[i]);
	}
	uv_read_start((uv_stream_t *)&simulator->output, simulator_allocate, on_output);
	uv_read_start((uv_stream_t *)&simulator->errors, simulator_allocate, on_errors);
	return 0;
}

/* ---- Why it would not serve the file ---- */

/* "ibwarn: [123] connect_ports: can't find ..." without its front. */
static const char *without_front(const char *line)
{
	const char *text = strchr(line, ']');
	const char *colon = text ? strstr(text, ": ") : NULL;

	return colon ? colon + 2 : line;
}

/* The sentence that says most: the last warning before it gave up, else why it did. */
static char *refusal(char *warnings)
{
	const char *found = NULL, *panic = NULL;
	char *rest = NULL;

	for (char *line = strtok_r(warnings, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (strstr(line, "parse_port_connection_data"))
			continue; /* said of every port that has no lid and speed: no fault */
		if (!strncmp(line, "ibpanic", 7))
			panic = without_front(line);
		else
			found = without_front(line);
	}
	if (panic && !strstr(panic, "init failed") && !strstr(panic, "parsing failed"))
		found = panic;
	return xstrdup(found ? found : panic ? panic : "it gave no reason");
}

/* "fatal: error at FILE: line 12" */
static unsigned fatal_line(const char *output)
{
	const char *fatal = output ? strstr(output, "fatal: error at ") : NULL;
	const char *line = fatal ? strstr(fatal, ": line ") : NULL;

	return line ? strtoul(line + 7, NULL, 10) : 0;
}

void ibsim_ended(struct simulator *simulator, int status)
{
	AUTO_BUF struct buf how = {0};
	AUTO_FREE char *why = NULL;
	unsigned line;

	simulator_drain(&simulator->output, on_output);
	simulator_drain(&simulator->errors, on_errors);
	simulator_ended_how(&how, status);
	if (simulator->phase != PHASE_LOADING || WIFSIGNALED(status)) {
		simulator_failed(simulator, "ibsim %s, and the simulated fabric with it", how.data);
		return;
	}
	why = refusal(simulator->warnings.data ? simulator->warnings.data : (char[]){""});
	line = fatal_line(simulator->answer.data);
	if (line)
		simulator_failed(simulator, "%s:%u: ibsim refuses this topology: %s", simulator->file, line, why);
	else
		simulator_failed(simulator, "%s: ibsim refuses this topology: %s", simulator->file, why);
}

/* ---- Commands of the user ---- */

int ibsim_check_command(const char *text, struct diag *diag)
{
	if (!*text || text[strcspn(text, "\r\n")])
		return diag_set(diag, EINVAL, NO_PLACE, "a command for ibsim's console is one line: '%s'", text);
	if (strlen(text) > COMMAND_MAX)
		return diag_set(diag, EINVAL, NO_PLACE, "ibsim's console takes commands of at most %d bytes: '%s'",
				COMMAND_MAX, text);
	return 0;
}

/* Those that change something are silent where they did (all but one); the others answer. */
static bool well_answered(const char *command, const char *answer)
{
	while (isspace((unsigned char)*command))
		command++;
	return !*answer || strchr("#?DdAaVvHhWw", *command) || !strncasecmp(command, "ro", 2) ||
	       strstr(answer, " has been set to ");
}

static void on_commanded(struct simulator *simulator, const char *command, const char *answer)
{
	while (isspace((unsigned char)*answer) || *answer == '#')
		answer++;
	if (!well_answered(command, answer)) {
		simulator_failed(simulator, "ibsim did not carry out '%s': %.*s", command, (int)strcspn(answer, "\n"),
				 answer);
		return;
	}
	if (simulator->phase == PHASE_COMMANDS && STAILQ_EMPTY(&simulator->queue))
		ibsim_commanded(simulator);
}

void ibsim_run_commands(struct simulator *simulator)
{
	for (size_t i = 0; i < simulator->commands.count; i++)
		enqueue(simulator, simulator->commands.items[i], on_commanded);
	if (!simulator->commands.count)
		ibsim_commanded(simulator);
}

/* ---- Clients that died without saying good-bye ---- */

static void on_forgotten(struct simulator *simulator, const char *command, const char *answer)
{
	simulator->forgetting--;
	if (simulator->phase == PHASE_UP)
		simulator->events.freed(simulator->user);
}

static void on_disconnected(struct simulator *simulator, const char *command, const char *answer)
{
}

static bool is_gone(const struct simulator *simulator, int64_t pid)
{
	for (size_t i = 0; i < simulator->nforget; i++)
		if (simulator->forget[i] == pid)
			return true;
	return kill(pid, 0) < 0 && errno == ESRCH;
}

/* "Client 3: pid 1234 connected at ..." a line. */
static void on_attached(struct simulator *simulator, const char *command, const char *answer)
{
	for (const char *line = answer; line; line = strchr(line, '\n')) {
		int client, pid;
		char text[16];

		line += *line == '\n';
		if (sscanf(line, "Client %d: pid %d", &client, &pid) != 2 || !is_gone(simulator, pid))
			continue;
		snprintf(text, sizeof(text), "X %d", client);
		enqueue(simulator, text, on_disconnected);
	}
	simulator->nforget = 0;
	/* A comment is answered after all of them are done. */
	enqueue(simulator, "#", on_forgotten);
}

void simulator_forget(struct simulator *simulator, int64_t pid)
{
	if (simulator->phase != PHASE_UP)
		return;
	simulator->forgetting++;
	if (pid > 0) {
		GROW(simulator->forget, simulator->nforget, simulator->forget_capacity);
		simulator->forget[simulator->nforget++] = pid;
	}
	enqueue(simulator, "Attached", on_attached);
}

void ibsim_free(struct simulator *simulator)
{
	struct console_command *command;

	while ((command = STAILQ_FIRST(&simulator->queue))) {
		STAILQ_REMOVE_HEAD(&simulator->queue, next);
		free(command->text);
		free(command);
	}
	buf_free(&simulator->answer);
	buf_free(&simulator->warnings);
	free(simulator->forget);
}
