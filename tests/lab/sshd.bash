# SPDX-License-Identifier: BSD-2-Clause
# An sshd of one's own on a loopback port, with throw-away keys: hosts that ssh reaches and that all are this machine.

# free_port: one of the loopback that nobody listens on
free_port() {
	python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# ssh_setup: skips aloud where there is no sshd, or a lab is not for this user
ssh_setup() {
	local program
	for program in /usr/sbin/sshd ssh ssh-keygen; do
		type $program >/dev/null 2>&1 && continue
		[ "${RDMASPEC_LABS:-}" = required ] && return 1
		skip "$program is not installed"
	done
}

# sshd_start: sets $port, and writes $ssh_options, words for "options" of a scenario; the root of it all is ./ssh
sshd_start() {
	local tries
	mkdir -p ssh /run/sshd 2>/dev/null || mkdir -p ssh
	ssh-keygen -q -t ed25519 -N '' -C throw-away -f ssh/host
	ssh-keygen -q -t ed25519 -N '' -C throw-away -f ssh/user
	cp ssh/user.pub ssh/authorized
	for tries in 1 2 3 4 5; do
		port=$(free_port)
		cat >ssh/config <<-E
			Port $port
			ListenAddress 127.0.0.1
			HostKey $PWD/ssh/host
			AuthorizedKeysFile $PWD/ssh/authorized
			PidFile none
			UsePAM no
			StrictModes no
			PasswordAuthentication no
			KbdInteractiveAuthentication no
			MaxStartups 100
			PrintMotd no
			$*
		E
		/usr/sbin/sshd -D -e -f "$PWD/ssh/config" 2>ssh/log 3>&- &
		sshd=$!
		until grep -q 'Server listening' ssh/log; do kill -0 $sshd 2>/dev/null || break; done
		kill -0 $sshd 2>/dev/null && break
	done
	kill -0 $sshd
	echo "[127.0.0.1]:$port $(cut -d' ' -f1,2 ssh/host.pub)" >ssh/known
	ssh_options="[-F, none, -i, $PWD/ssh/user, -o, IdentitiesOnly=yes, -o, UserKnownHostsFile=$PWD/ssh/known, -o, GlobalKnownHostsFile=none]"
}

# Its sessions are children of it, in process groups of their own.
sshd_stop() {
	local child
	[ -n "${sshd:-}" ] || return 0
	for child in $(pgrep -P "$sshd"); do kill "$child" 2>/dev/null || :; done
	kill "$sshd" 2>/dev/null || :
	wait "$sshd" 2>/dev/null || :
	sshd=
}
