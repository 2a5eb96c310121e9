# Completion of fleetctl in fish: commands, flags, units, machines, files. fleetctl itself answers,
# once for each TAB.

function __fleetctl_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l flag (string match -r -- '^--[^=]*=' $current)
    set -l part (string replace -r -- '^--[^=]*=' '' $current)
    for line in ($words[1] __complete $words[2..-1] "$current" 2>/dev/null)
        switch $line
            case ':*files*'
                printf '%s\n' "$flag"(__fish_complete_path $part)
            case ':*directories*'
                printf '%s\n' "$flag"(__fish_complete_directories $part)
            case ':*'
            case '*'
                echo $line
        end
    end
end

complete -c fleetctl -f -a '(__fleetctl_complete)'
