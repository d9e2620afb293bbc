# jobmetrics-cli: completions for fish
#
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: MIT

function __jobmetrics_cli_jobs
    jobmetrics-cli list 2>/dev/null | awk 'NR > 1 { print $1 }'
end

set -l none 'not __fish_seen_subcommand_from list show run doctor'
set -l node '__fish_seen_subcommand_from list show doctor'
set -l any '__fish_seen_subcommand_from list show run doctor'
set -l run '__fish_seen_subcommand_from run'

complete -c jobmetrics-cli -f
complete -c jobmetrics-cli -n $none -a list -d 'The jobs of this node as a table'
complete -c jobmetrics-cli -n $none -a show -d 'Everything that is known about one job'
complete -c jobmetrics-cli -n $none -a run -d 'Run a command as a job and report what it used'
complete -c jobmetrics-cli -n $none -a doctor -d 'What is missing on this node, and what mends it'
complete -c jobmetrics-cli -l help -d 'Tell the options'
complete -c jobmetrics-cli -n $none -l version -d 'Print the version'

complete -c jobmetrics-cli -n $any -l json -d 'Print JSON'
complete -c jobmetrics-cli -n $any -l color -x -a 'auto always never' -d 'Set titles off'

complete -c jobmetrics-cli -n $node -l path.rootfs -x -a '(__fish_complete_directories)' -d 'Root of the tree that is read'
complete -c jobmetrics-cli -n $node -l path.procfs -x -a '(__fish_complete_directories)' -d 'Where procfs is'
complete -c jobmetrics-cli -n $node -l path.sysfs -x -a '(__fish_complete_directories)' -d 'Where sysfs is'
complete -c jobmetrics-cli -n $node -l path.cgroupfs -x -a '(__fish_complete_directories)' -d 'Where cgroups are'
complete -c jobmetrics-cli -n $node -l schedulers -x -a '(__fish_complete_directories)' -d 'Directory with scheduler definitions'
complete -c jobmetrics-cli -n $node -l cluster -x -d 'Name of the cluster'
complete -c jobmetrics-cli -n $node -l node.name -x -d 'Name of the node'
complete -c jobmetrics-cli -n '__fish_seen_subcommand_from show' -a '(__jobmetrics_cli_jobs)' -d 'Job'

complete -c jobmetrics-cli -n '__fish_seen_subcommand_from doctor' -s q -l quiet -d 'Tell problems only'

complete -c jobmetrics-cli -n $run -l name -x -d 'What the job is called'
complete -c jobmetrics-cli -n $run -l output -r -F -d 'Where the report goes'
complete -c jobmetrics-cli -n $run -a '(__fish_complete_subcommand)'
