# SPDX-License-Identifier: BSD-2-Clause
# A Slurm of one's own: slurmctld and four slurmd on the loopback of this machine, without munge, all files in ./slurm.

slurm_setup() {
	local program
	for program in slurmctld slurmd srun sbatch scancel; do
		PATH=$PATH:/usr/sbin type $program >/dev/null 2>&1 && continue
		[ "${RDMASPEC_LABS:-}" = required ] && return 1
		skip "$program is not installed"
	done
	# slurmd becomes the user of a job, which only root can.
	[ "$(id -u)" = 0 ] || { [ "${RDMASPEC_LABS:-}" = required ] && return 1; skip "Slurm's daemons need root"; }
}

free_ports() {
	python3 -c 'import socket, sys
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(int(sys.argv[1]))]
print(*(s.getsockname()[1] for s in sockets))' "$1"
}

# slurm_start: node-01 to node-04, idle when it returns; SLURM_CONF is set
slurm_start() {
	local ports i names
	mkdir -p slurm/state
	read -ra ports <<<"$(free_ports 5)"
	export SLURM_CONF=$PWD/slurm/slurm.conf PATH=$PATH:/usr/sbin
	cat >"$SLURM_CONF" <<-E
		ClusterName=lab
		SlurmctldHost=localhost(127.0.0.1)
		SlurmctldPort=${ports[0]}
		SlurmUser=root
		AuthType=auth/none
		CredType=cred/none
		MpiDefault=none
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		JobAcctGatherType=jobacct_gather/none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_Core
		CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
		StateSaveLocation=$PWD/slurm/state
		SlurmdSpoolDir=$PWD/slurm/spool-%n
		SlurmctldPidFile=$PWD/slurm/slurmctld.pid
		SlurmdPidFile=$PWD/slurm/slurmd-%n.pid
		SlurmctldLogFile=$PWD/slurm/slurmctld.log
		SlurmdLogFile=$PWD/slurm/slurmd-%n.log
		ReturnToService=2
		KillWait=1
		MailProg=/bin/true
		NodeName=node-01 NodeHostname=localhost NodeAddr=127.0.0.1 Port=${ports[1]} CPUs=1
		NodeName=node-02 NodeHostname=localhost NodeAddr=127.0.0.1 Port=${ports[2]} CPUs=1
		NodeName=node-03 NodeHostname=localhost NodeAddr=127.0.0.1 Port=${ports[3]} CPUs=1
		NodeName=node-04 NodeHostname=localhost NodeAddr=127.0.0.1 Port=${ports[4]} CPUs=1
		PartitionName=lab Nodes=node-[01-04] Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
	E
	slurm_pids=
	# What is started by the daemons is not what this test left behind.
	env -u RDMASPEC_TEST_MARK slurmctld -D >slurm/ctld.out 2>&1 3>&- &
	slurm_pids+=" $!"
	for i in 1 2 3 4; do
		env -u RDMASPEC_TEST_MARK slurmd -D -N node-0$i >slurm/d$i.out 2>&1 3>&- &
		slurm_pids+=" $!"
	done
	for i in $(seq 300); do
		names=$(sinfo -h -N -t idle -o %N 2>/dev/null | sort -u | wc -l)
		[ "$names" = 4 ] && return 0
		sleep 0.1
	done
	cat slurm/*.out slurm/*.log >&2
	return 1
}

slurm_stop() {
	local pid i
	[ -n "${slurm_pids:-}" ] || return 0
	scancel -q --user="$(id -un)" 2>/dev/null || :
	for i in $(seq 100); do [ -z "$(squeue -h 2>/dev/null)" ] && break; sleep 0.1; done
	for pid in $slurm_pids; do kill "$pid" 2>/dev/null || :; done
	for pid in $slurm_pids; do wait "$pid" 2>/dev/null || :; done
	slurm_pids=
}
