#!/bin/sh
# Stops fleet's units on this machine when fleetd has not put the deadline off in time:
#   guard DIRECTORY MARKS [--user]
# DIRECTORY/deadline says when to stop units and when to kill what is left, in hundredths of a
# second since the machine was booted. fleetd writes it at each answer of the cluster; whether
# fleetd lives does not matter otherwise. MARKS has a file for each unit that fleet placed here.
# What ran is noted in DIRECTORY/stopped before it is stopped, for fleetd to start it again if it
# is back before its units are somebody else's.
set -u
directory=$1
marks=$2
shift 2

control() {
  command=$1
  shift
  systemctl $user "$command" "$@"
}

now() {
  read -r uptime rest </proc/uptime
  # The 1 keeps 05 from being read as octal.
  now=$((${uptime%.*} * 100 + 1${uptime#*.} - 100))
}

# Where there is none, nothing is guarded any more.
deadlines() {
  read -r stop kill <"$directory/deadline" || exit 0
}

# Sleeps until the time given, however often that is put off: fleetd changes what the last line reads.
sleep_until() {
  now
  left=$(($1 - now))
  [ "$left" -le 0 ] || sleep "$((left / 100)).$(printf %02d $((left % 100)))"
}

# A file name is a unit's name; the hidden ones are half written. A slice has no process of its own,
# and systemd would stop all units in it, fleet's or not.
list_units() {
  cd "$marks" || exit 1
  set -- *
  [ -e "$1" ] || set --
  units=
  [ $# = 0 ] || units=$(grep -L '^global=true$' -- "$@" | grep -v '\.slice$')
}

# Of the units those that run or are about to. Where systemd does not say, those that were started.
list_running() {
  if ! states=$(control show --property=Id --property=ActiveState -- $units); then
    grep -l '^started=' -- $units
    return
  fi
  printf '%s\n' "$states" | while IFS= read -r line; do
    case $line in
      Id=*) id=${line#Id=} ;;
      ActiveState=active | ActiveState=activating | ActiveState=reloading | ActiveState=refreshing) printf '%s\n' "$id" ;;
    esac
  done
}

note_stopped() {
  {
    [ ! -f "$directory/stopped" ] || cat "$directory/stopped"
    printf '%s\n' $running
  } >"$directory/stopped.part" && mv "$directory/stopped.part" "$directory/stopped"
}

user=${1-}
set -f
echo $$ >"$directory/pid"

deadlines
now
while [ "$now" -lt "$stop" ]; do
  sleep_until "$stop"
  deadlines
  now
done

set +f
list_units
set -f
if [ -n "$units" ]; then
  running=$(list_running)
  echo "<3>No answer of the cluster in time: it may soon run this machine's units elsewhere. Stopping:" $running
  [ -z "$running" ] || note_stopped
  control stop --no-block -- $units
fi

killing=$kill
sleep_until "$killing"
deadlines
if [ "$kill" = "$killing" ]; then
  # What was just being started when the others were stopped is among them now.
  set +f
  list_units
  set -f
  if [ -n "$units" ]; then
    running=$(list_running)
    [ -z "$running" ] || note_stopped
    control stop --no-block -- $units
    control kill --signal=KILL -- $units 2>/dev/null
  fi
  echo "<4>No unit of this machine is left but global ones, until the cluster answers"
fi
rm -f "$directory/pid"
