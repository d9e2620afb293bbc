/* list-jobs.vala: list-jobs [ROOT]: the jobs of this node, or of a copied tree
 *
 * valac --pkg jobmetrics-1.0 list-jobs.vala
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: MIT
 */

void print_job (JobMetrics.Snapshot snapshot, uint subject) {
    unowned JobMetrics.Quantity cpu =
        JobMetrics.Quantity.of_subject (JobMetrics.SubjectKind.JOB, "cpu_seconds");
    unowned JobMetrics.Job job = snapshot.get_job (subject);
    double seconds;

    print ("%s %s", job.get_id (), job.get_user () ?? "-");
    if (snapshot.get_value (subject, cpu, out seconds))
        print (" %.2f s", seconds);
    print ("\n");
}

int main (string[] args) {
    try {
        var host = new JobMetrics.Host (args.length > 1 ? args[1] : null);
        var snapshot = new JobMetrics.Node.full (host).sample ();

        for (uint i = 0; i < snapshot.get_n_subjects (); i++)
            if (snapshot.get_kind (i) == JobMetrics.SubjectKind.JOB)
                print_job (snapshot, i);
    } catch (Error error) {
        printerr ("%s\n", error.message);
        return 1;
    }

    return 0;
}
