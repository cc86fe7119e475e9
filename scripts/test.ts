/**
 * Runs every test, or those its arguments name. What failed is told again at the end, where it is not lost among thousands of
 * lines; the last line is always `N passed, N failed`, with `, N skipped` if any were.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { rootFolder } from "./checks.ts";
import { parseTestReport, type TestReport } from "./test-report.ts";

/** More workers than this only make tests that measure time unreliable. */
const workersMax = 4;

/**
 * One process per worker and a fresh world per file: a file that crashes or calls `process.exit` is a failure and not the
 * end of the run. `--no-orphans` ends whatever a failed test left running. The time limit only ends what hangs: it is for slow, busy machines.
 */
const flags = [`--parallel=${Math.min(workersMax, availableParallelism())}`, "--no-orphans", "--timeout=120000"];

const folder = await mkdtemp(join(tmpdir(), "cairn-test-"));
const reportFile = join(folder, "report.xml");
const reporter = ["--reporter=junit", `--reporter-outfile=${reportFile}`];
const child = Bun.spawn([process.execPath, "test", ...flags, ...reporter, ...process.argv.slice(2)], {
	cwd: rootFolder,
	stdio: ["ignore", "inherit", "inherit"],
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
await child.exited;

const { passed, failed, skipped, failures } = honest(await read(reportFile), child.exitCode);
await rm(folder, { recursive: true, force: true });
for (const failure of failures) console.log(`\n${failure}`);
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exit(failed === 0 ? 0 : 1);

/** Null when the run ended without writing a report. */
async function read(path: string): Promise<TestReport | null> {
	const file = Bun.file(path);
	return (await file.exists()) ? parseTestReport(await file.text()) : null;
}

/** Adds the failures that no test stands for: a file that would not load, a run that crashed, a run without any test. */
function honest(report: TestReport | null, exitCode: number | null): TestReport {
	if (report === null) return { passed: 0, failed: 1, skipped: 0, failures: [] };
	const trouble = exitCode !== 0 || report.passed + report.failed === 0;
	return trouble && report.failed === 0 ? { ...report, failed: 1 } : report;
}
