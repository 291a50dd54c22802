#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# connect: kubectl, over a stand-in: no cluster runs here. What it is told is compared with what kubectl's own pages say of
# "kubectl exec" and "kubectl get"; then it runs the agent on this machine.

load helper

# stand_in: a kubectl on the path, which writes down each command line, and has pods in "pods"
stand_in() {
	mkdir -p bin
	cat >bin/kubectl <<-'E'
		#!/usr/bin/env python3
		import fcntl, json, os, sys
		words = sys.argv[1:]
		with open(os.environ["CALLS"], "a") as file:
		    fcntl.flock(file, fcntl.LOCK_EX)
		    file.write(json.dumps(words) + "\n")
		if "get" in words:
		    text = open(os.environ["PODS"]).read()
		    if text.startswith("error"):
		        sys.exit(text)
		    sys.stdout.write(text)
		    sys.exit()
		if "gone" in words:
		    sys.exit('Error from server (NotFound): pods "gone" not found')
		at = words.index("--")
		if words[at + 1] != "rdmaspec":
		    sys.stderr.write('OCI runtime exec failed: exec failed: unable to start container process: exec: "%s": stat %s: no such file or directory: unknown\ncommand terminated with exit code 127\n' % (words[at + 1], words[at + 1]))
		    sys.exit(127)
		os.environ["POD"] = words[at - 1]
		os.execv(os.environ["AGENT"], ["rdmaspec"] + words[at + 2:])
	E
	chmod +x bin/kubectl
	export PATH=$PWD/bin:$PATH CALLS=$PWD/calls PODS=$PWD/pods AGENT=$RDMASPEC_BUILD/runner/rdmaspec
	: >calls
}

# pod NAME NODE PHASE [deleted]
pod() {
	jq -nc --arg name "$1" --arg node "$2" --arg phase "$3" --arg gone "${4:-}" \
		'{metadata: ({name: $name} + (if $gone == "" then {} else {deletionTimestamp: "2026-12-01T00:00:00Z"} end)),
		  spec: {nodeName: $node}, status: {phase: $phase}}'
}

@test "a pod by its name: the words that kubectl exec takes" {
	stand_in
	scenario <<-'E'
		hosts:
		  - {name: pod-a, connect: kubectl}
		  - name: node-2
		    connect_to: pod-b
		    connect: {kubectl: {namespace: fabric, container: tools, context: prod, options: [--kubeconfig=/etc/k], plugin_dir: $(env:PLUGINS)}}
		steps:
		  - {id: a, mock.worker: {variable: POD, expect: {variable: "pod-[ab]"}}}
	E
	export PLUGINS=$RDMASPEC_BUILD/plugins
	sed -i 's/"pod-\[ab\]"/["pod-a", "pod-b"]/' s.yaml
	run -0 "$rdmaspec" run s.yaml
	sort calls >sorted
	diff - sorted <<-E
		["--kubeconfig=/etc/k", "--context", "prod", "--namespace", "fabric", "exec", "--stdin", "--quiet", "--container", "tools", "pod-b", "--", "rdmaspec", "agent", "--plugin-dir", "$PLUGINS"]
		["exec", "--stdin", "--quiet", "pod-a", "--", "rdmaspec", "agent"]
	E
}

@test "pods by their label: one question, and for each host the pod that runs on its node" {
	stand_in
	jq -sc '{items: .}' >pods < <(
		pod rdma-x1 node-1 Running
		pod rdma-x2 node-2 Running
		pod rdma-old node-2 Running deleted
		pod rdma-x3 node-3 Pending
		pod rdma-x4 node-4 Running
		pod rdma-x5 node-4 Running
		pod -bad node-5 Running
	)
	scenario <<-'E'
		hosts: [{name: "node-[1-6]", connect: {kubectl: {label: app=rdma, namespace: fabric}}}]
		steps:
		  - {id: a, mock.worker: {variable: POD, expect: {variable: "rdma-x*"}, unique: [variable]}}
	E
	run -2 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(jq -r '[.scenarios[].steps[].cases[].verdict] | join(" ")' out.json)" = "pass pass error error error error error" ]
	[ "$(grep -c get calls)" = 1 ]
	[ "$(grep get calls)" = '["--namespace", "fabric", "get", "pods", "--selector", "app=rdma", "--output", "json"]' ]
	[ "$(grep -c rdma-x1 calls)" = 1 ]
	[ "$(grep -c rdma-x2 calls)" = 1 ]
	[ "$(wc -l <calls)" = 3 ]
	[ "$(sentences node-3)" = "no running pod on node 'node-3' has the label 'app=rdma'" ]
	[ "$(sentences node-4)" = "more than one running pod on node 'node-4' has the label 'app=rdma': rdma-x4 and rdma-x5" ]
	[ "$(sentences node-5)" = "no running pod on node 'node-5' has the label 'app=rdma'" ]
}

@test "kubectl that is not there, cannot list, lists nothing sensible, or finds no pod or program" {
	scenario <<-'E'
		hosts: [{name: node-1, connect: {kubectl: {label: app=rdma}}}, {name: gone, connect: kubectl},
		        {name: bare, connect: {kubectl: {path: /opt/rdmaspec}}}]
		steps: [{mock.pass: {count: 2}}]
	E
	run -2 env PATH=/nonexistent "$rdmaspec" run -o json=out.json s.yaml
	[ "$(sentences node-1)" = "the way to the agent could not be started: 'kubectl': No such file or directory" ]
	[ "$(sentences gone)" = "the way to the agent could not be started: 'kubectl': No such file or directory" ]
	stand_in
	echo 'error: You must be logged in to the server (Unauthorized)' >pods
	run -2 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(sentences node-1)" = "kubectl could not list the pods (exit status 1): error: You must be logged in to the server (Unauthorized)" ]
	[ "$(sentences gone)" = 'kubectl ended before an agent had answered, with exit status 1: Error from server (NotFound): pods "gone" not found' ]
	[[ "$(sentences bare)" == "kubectl did not find the program '/opt/rdmaspec' on the host (exit status 127): OCI runtime exec failed"* ]]
	echo '[]' >pods
	run -2 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(sentences node-1)" = "kubectl did not answer with a list of pods: there are no 'items'" ]
	printf '{' >pods
	run -2 "$rdmaspec" run -o json=out.json s.yaml
	[[ "$(sentences node-1)" == "kubectl did not answer with a list of pods: "* ]]
}

@test "kubectl that does not answer: its time is over, and a signal ends it" {
	mkdir bin
	printf '#!/bin/sh\nexec sleep 1000\n' >bin/kubectl
	chmod +x bin/kubectl
	export PATH=$PWD/bin:$PATH
	scenario <<-'E'
		hosts: [{name: node-1, connect: {kubectl: {label: app=rdma}}}]
		steps: [{mock.pass: {count: 2}}]
	E
	run -2 timeout 60 "$rdmaspec" run --connect-timeout 500ms -o json=out.json s.yaml
	[ "$(sentences node-1)" = "kubectl did not list the pods in time" ]
	"$rdmaspec" run s.yaml 3>&- &
	pid=$!
	until pgrep -P $pid -x sleep >/dev/null; do kill -0 $pid; done
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	[ "$status" = 143 ]
}
