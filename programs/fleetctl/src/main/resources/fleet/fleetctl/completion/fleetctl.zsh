#compdef fleetctl
# Completion of fleetctl in zsh: commands, flags, units, machines, files. fleetctl itself answers,
# once for each TAB.

_fleetctl() {
  local line candidate directives=
  local -a found
  for line in "${(@f)$("${words[1]}" __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    candidate=${line%%$'\t'*}
    case $line in
      :*) directives=$line ;;
      *$'\t'*) found+=("${candidate//:/\\:}:${line#*$'\t'}") ;;
      *) found+=("${candidate//:/\\:}") ;;
    esac
  done
  (( ! $#found )) || _describe -V fleetctl found
  case $directives in
    *files*|*directories*) compset -P '--*=' ;;
  esac
  case $directives in
    *files*) _files ;;
    *directories*) _files -/ ;;
  esac
}

if [ "$funcstack[1]" = _fleetctl ]; then
  _fleetctl "$@"
else
  compdef _fleetctl fleetctl
fi
