# jobmetrics-cli: completions for fish
#
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: MIT

function __jobmetrics_cli_jobs
    jobmetrics-cli list --columns=jobid --no-headers 2>/dev/null
end

function __jobmetrics_cli_columns
    jobmetrics-cli list --columns=help 2>/dev/null | awk 'NR > 1 { print $1; if ($2 != "-") print $2 }'
end

# What is typed of a list with commas, less its last part, before each column
function __jobmetrics_cli_column_lists
    set -l typed (commandline -ct | string replace -r '^--[a-z]+=' '' | string match -r '^(?:.*,)?-?')
    for column in (__jobmetrics_cli_columns)
        echo $typed$column
    end
end

function __jobmetrics_cli_top_columns
    set -l minus (commandline -ct | string replace -r '^--[a-z]+=' '' | string match -r '^-?')
    for column in jobid user account name cpus cpu% cpu-time mem peak limit mem% read write procs threads pressure% watts energy age
        echo $minus$column
    end
end

function __jobmetrics_cli_sources
    jobmetrics-cli metrics $argv[1]=help 2>/dev/null | awk 'NR > 1 { print $1 }'
end

function __jobmetrics_cli_collectors
    jobmetrics-cli metrics --collect=help 2>/dev/null | awk 'NR > 1 { print $1 }'
end

function __jobmetrics_cli_metrics
    jobmetrics-cli metrics 2>/dev/null | awk '$1 == "#" && $2 == "TYPE" { print $3 }'
end

set -l none 'not __fish_seen_subcommand_from list show top power emissions metrics run doctor'
set -l list '__fish_seen_subcommand_from list'
set -l show '__fish_seen_subcommand_from show'
set -l metrics '__fish_seen_subcommand_from metrics'
set -l top '__fish_seen_subcommand_from top'
set -l run '__fish_seen_subcommand_from run'
set -l which '__fish_seen_subcommand_from list show'
set -l output '__fish_seen_subcommand_from list show top power emissions run doctor'
set -l sources '__fish_seen_subcommand_from list show top power metrics run doctor'
set -l sharing '__fish_seen_subcommand_from list show top power metrics'
set -l energy '__fish_seen_subcommand_from list show top metrics'
set -l providers '__fish_seen_subcommand_from list show emissions metrics run doctor'
set -l power '__fish_seen_subcommand_from power'
set -l watch '__fish_seen_subcommand_from list show power'
set -l node '__fish_seen_subcommand_from list show top power metrics doctor'
set -l rootfs '__fish_seen_subcommand_from list show top power emissions metrics doctor'

complete -c jobmetrics-cli -f
complete -c jobmetrics-cli -n $none -a list -d 'The jobs of this node as a table'
complete -c jobmetrics-cli -n $none -a show -d 'Everything that is known about jobs'
complete -c jobmetrics-cli -n $none -a top -d 'The jobs of this node as they go, live'
complete -c jobmetrics-cli -n $none -a power -d 'What this node takes, and who takes it'
complete -c jobmetrics-cli -n $none -a emissions -d 'What electricity emits, and who says so'
complete -c jobmetrics-cli -n $none -a metrics -d 'What a scrape of this node gives, without a daemon'
complete -c jobmetrics-cli -n $none -a run -d 'Run a command as a job and report what it used'
complete -c jobmetrics-cli -n $none -a doctor -d 'What is missing on this node, and what mends it'
complete -c jobmetrics-cli -l help -d 'Tell the options'
complete -c jobmetrics-cli -n $none -l version -d 'Print the version'

complete -c jobmetrics-cli -n $output -l json -d 'Print JSON'
complete -c jobmetrics-cli -n $output -l color -x -a 'auto always never' -d 'Set titles off'

complete -c jobmetrics-cli -n $rootfs -l path.rootfs -x -a '(__fish_complete_directories)' -d 'Root of the tree that is read'
complete -c jobmetrics-cli -n $node -l path.procfs -x -a '(__fish_complete_directories)' -d 'Where procfs is'
complete -c jobmetrics-cli -n $node -l path.sysfs -x -a '(__fish_complete_directories)' -d 'Where sysfs is'
complete -c jobmetrics-cli -n $node -l path.cgroupfs -x -a '(__fish_complete_directories)' -d 'Where cgroups are'
complete -c jobmetrics-cli -n $node -l schedulers -x -a '(__fish_complete_directories)' -d 'Directory with scheduler definitions'
complete -c jobmetrics-cli -n $node -l cluster -x -d 'Name of the cluster'
complete -c jobmetrics-cli -n $node -l node.name -x -d 'Name of the node'

complete -c jobmetrics-cli -n $sources -l power.source -x -a '(__jobmetrics_cli_sources --power.source) auto' -d 'Read this power source'
complete -c jobmetrics-cli -n $sharing -l power.share-idle -d 'Share idle energy among jobs'
complete -c jobmetrics-cli -n $energy -l power.file -r -F -d 'Where the exporter keeps the energy of jobs'
complete -c jobmetrics-cli -n $providers -l emissions.provider -x -a '(__jobmetrics_cli_sources --emissions.provider)' -d 'Who says what electricity emits'

complete -c jobmetrics-cli -n $which -l user -x -a '(__fish_complete_users)' -d 'Only jobs of these users'
complete -c jobmetrics-cli -n $which -l account -x -d 'Only jobs of these accounts'
complete -c jobmetrics-cli -n $which -l state -x -a 'running ended' -d 'Only jobs in this state'
complete -c jobmetrics-cli -n $which -l filter -x -d 'Only jobs of which this is true'
complete -c jobmetrics-cli -n $watch -l watch -d 'Look again every so often'

complete -c jobmetrics-cli -n $list -l columns -x -a '(__jobmetrics_cli_column_lists)' -d 'Columns by their names'
complete -c jobmetrics-cli -n $list -l sort -x -a '(__jobmetrics_cli_column_lists)' -d 'Sort by columns'
complete -c jobmetrics-cli -n $list -l steps -d 'Show the steps of each job below it'
complete -c jobmetrics-cli -n $list -l csv -d 'Print comma-separated values'
complete -c jobmetrics-cli -n $list -l no-headers -d 'Leave the titles out'

complete -c jobmetrics-cli -n $show -l steps -d 'Show everything about each step, too'
complete -c jobmetrics-cli -n $show -l tasks -d 'Show everything about each step and task, too'
complete -c jobmetrics-cli -n $show -a '(__jobmetrics_cli_jobs)' -d Job

complete -c jobmetrics-cli -n $power -l interval -x -d 'Time over which is measured'

complete -c jobmetrics-cli -n $metrics -l format -x -a 'prometheus openmetrics json' -d 'Format of the figures'
complete -c jobmetrics-cli -n $metrics -l sample.level -x -a 'job step task' -d 'Deepest level of figures'
complete -c jobmetrics-cli -n $metrics -l collect -x -a '(__jobmetrics_cli_collectors)' -d 'Ask only this collector'
complete -c jobmetrics-cli -n $metrics -l exclude -x -a '(__jobmetrics_cli_collectors)' -d 'Do not ask this collector'
complete -c jobmetrics-cli -n $metrics -l metrics.include -x -a '(__jobmetrics_cli_metrics)' -d 'Only metrics of these names'
complete -c jobmetrics-cli -n $metrics -l metrics.exclude -x -a '(__jobmetrics_cli_metrics)' -d 'No metrics of these names'

complete -c jobmetrics-cli -n $top -l interval -x -d 'Time between two sweeps'
complete -c jobmetrics-cli -n $top -l sort -x -a '(__jobmetrics_cli_top_columns)' -d 'Sort by a column'
complete -c jobmetrics-cli -n $top -l user -x -a '(__fish_complete_users)' -d 'Only jobs of this user'
complete -c jobmetrics-cli -n $top -l expand -d 'Show steps, tasks, executables and processes of all jobs'
complete -c jobmetrics-cli -n $top -l once -d 'Print a single page'
complete -c jobmetrics-cli -n $top -s n -l count -x -d 'Print that many pages'

complete -c jobmetrics-cli -n '__fish_seen_subcommand_from doctor' -s q -l quiet -d 'Tell problems only'

complete -c jobmetrics-cli -n $run -l name -x -d 'What the job is called'
complete -c jobmetrics-cli -n $run -l output -r -F -d 'Where the report goes'
complete -c jobmetrics-cli -n $run -a '(__fish_complete_subcommand)'
