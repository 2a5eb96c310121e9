# Completion of fleetctl in bash: commands, flags, units, machines, files. fleetctl itself answers,
# once for each TAB.

_fleetctl() {
  local line=${COMP_LINE:0:COMP_POINT} candidate full kept=
  local -a words
  read -ra words <<<"$line"
  [[ $line != *[[:blank:]] ]] || words+=("")
  full=${words[${#words[@]} - 1]}
  # Bash replaces only what follows the last of these, so that candidates must begin there too.
  [[ $full != *[@=:]* ]] || kept=${full%"${full##*[${COMP_WORDBREAKS//[^@=:]/} ]}"}
  COMPREPLY=()
  while IFS=$'\t' read -r candidate _; do
    case $candidate in
      :*files*) _fleetctl_paths -f ;;
      :*directories*) _fleetctl_paths -d ;;
      :*) ;;
      *) COMPREPLY+=("${candidate#"$kept"}") ;;
    esac
  done < <("${words[0]}" __complete "${words[@]:1}" 2>/dev/null)
}

_fleetctl_paths() {
  local path part=$full
  [[ $full != --*=* ]] || part=${full#*=}
  compopt -o filenames 2>/dev/null
  while IFS= read -r path; do
    COMPREPLY+=("$path")
  done < <(compgen "$1" -- "$part")
}

complete -F _fleetctl fleetctl
