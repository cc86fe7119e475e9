/** Runs every test, or those its arguments name; the last line is always `N passed, N failed`, with `, N skipped` if any were. */

import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { rootFolder } from "./checks.ts";

interface Counts {
	readonly passed: number;
	readonly failed: number;
	readonly skipped: number;
}

/** More workers than this only make tests that measure time unreliable. */
const workersMax = 4;

/**
 * One process per worker and a fresh world per file: a file that crashes or calls `process.exit` is a failure and not the
 * end of the run. `--no-orphans` ends whatever a failed test left running. The time limit is for slow, busy machines.
 */
const flags = [`--parallel=${Math.min(workersMax, availableParallelism())}`, "--no-orphans", "--timeout=30000"];

const folder = await mkdtemp(join(tmpdir(), "cairn-test-"));
const reportFile = join(folder, "report.xml");
const report = ["--reporter=junit", `--reporter-outfile=${reportFile}`];
const child = Bun.spawn([process.execPath, "test", ...flags, ...report, ...process.argv.slice(2)], {
	cwd: rootFolder,
	stdio: ["ignore", "inherit", "inherit"],
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
await child.exited;

const counts = honest(await read(reportFile), child.exitCode);
await rm(folder, { recursive: true, force: true });
console.log(`\n${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ""}`);
process.exit(counts.failed === 0 ? 0 : 1);

/** What the report says, or null when the run ended without writing one. */
async function read(file: string): Promise<Counts | null> {
	const report = Bun.file(file);
	const head = (await report.exists()) ? /<testsuites [^>]*>/.exec(await report.text())?.[0] : undefined;
	if (head === undefined) return null;
	const count = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(head)?.[1] ?? Number.NaN);
	const [all, failed, skipped] = [count("tests"), count("failures"), count("skipped")];
	return Number.isNaN(all + failed + skipped) ? null : { passed: all - failed - skipped, failed, skipped };
}

/** Adds the failures that no test stands for: a file that would not load, a run that crashed, a run without any test. */
function honest(counts: Counts | null, exitCode: number | null): Counts {
	if (counts === null) return { passed: 0, failed: 1, skipped: 0 };
	const trouble = exitCode !== 0 || counts.passed + counts.failed === 0;
	return trouble && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}
