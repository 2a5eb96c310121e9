#!/bin/sh
# Runs a systemd user manager of its own, below the directory $1, in cgroups named $2, until standard
# input ends: so it goes when the tests go, however they end. Nothing of the machine changes: what
# systemd looks for in /run/systemd is there only in a mount namespace of its own.
set -u
root=$1
name=$2

if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
  hierarchies=/sys/fs/cgroup
else
  hierarchies="/sys/fs/cgroup/systemd /sys/fs/cgroup/unified"
fi
groups=
for hierarchy in $hierarchies; do
  if [ -d "$hierarchy" ]; then
    mkdir "$hierarchy/$name" || exit 1
    groups="$groups $hierarchy/$name"
  fi
done

members() {
  for group in $groups; do
    find "$group" -name cgroup.procs -exec cat {} + 2>/dev/null
  done | sort -u
}

finish() {
  # A process that forks while the list is read is caught by the next round.
  for round in 1 2 3 4 5 6 7 8 9 10; do
    left=$(members)
    [ -z "$left" ] && break
    kill -KILL $left 2>/dev/null
    wait 2>/dev/null
    sleep 0.05
  done
  for group in $groups; do
    find "$group" -depth -type d -exec rmdir {} + 2>/dev/null
  done
  rm -rf "$root"
}
trap finish EXIT
# Ctrl-C reaches this shell as well; only the end of its input counts.
trap '' INT TERM HUP

sh -c '
  for group in $2; do
    echo $$ > "$group/cgroup.procs" || exit 1
  done
  exec unshare --mount --propagation private sh -c "
    mount -t tmpfs -o mode=755 tmpfs /run/systemd &&
    mkdir /run/systemd/system &&
    exec env -i PATH=\"\$PATH\" HOME=\"\$1/home\" LANG=C.UTF-8 \
      XDG_RUNTIME_DIR=\"\$1/run\" XDG_CONFIG_HOME=\"\$1/config\" XDG_DATA_HOME=\"\$1/data\" \
      SYSTEMD_LOG_LEVEL=notice SYSTEMD_LOG_TARGET=console \
      \"\$2\" --user
  " sh "$1" "$3"
' sh "$root" "$groups" "$3" > "$root/manager.log" 2>&1 &
manager=$!
echo "$manager"
cat > /dev/null
