/** Backups taken while sixteen clients write. Each is restored into another folder and compared with what was acknowledged before it began. */

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "../../contract/samples.ts";
import { startServerProcess } from "../../doubles/server-process.ts";
import { until } from "../../doubles/until.ts";
import { check } from "./check.ts";
import { createClients } from "./clients.ts";
import { type History, newHistory } from "./history.ts";
import { historyWithin, momentFault } from "./moment.ts";
import { quietly, spawnCommand } from "./run-cairn.ts";
import { env } from "./talk.ts";

export interface BackupRunPlan {
	readonly rounds: number;
	readonly seed: number;
	/** Called after each round. */
	readonly tell: (report: BackupReport) => void;
	/** Asked before each round: whether to end the run early. */
	readonly isOver: () => Promise<boolean>;
}

export interface BackupReport {
	rounds: number;
	/** Operations acknowledged before the backups began, and between their beginnings and ends. */
	before: number;
	meanwhile: number;
	/** Compared in the restored folders. */
	documents: number;
	memories: number;
	readonly faults: string[];
}

const writers = 16;
/** Enough for each writer to have added, changed and deleted. */
const acknowledgedBefore = 300;
const names = { archive: "backup.tar", folder: "backups" } as const;

export async function runBackupRounds({ rounds, seed, tell, isOver }: BackupRunPlan): Promise<BackupReport> {
	const random = seededRandom(seed);
	const report: BackupReport = { rounds: 0, before: 0, meanwhile: 0, documents: 0, memories: 0, faults: [] };
	for (let round = 0; round < rounds && !(await isOver()); round++) {
		const folder = await mkdtemp(join(tmpdir(), "cairn-backups-"));
		const faultsBefore = report.faults.length;
		await playRound(folder, random, join(folder, round % 2 === 0 ? names.archive : names.folder), report);
		report.rounds++;
		if (report.faults.length === faultsBefore) await rm(folder, { recursive: true, force: true });
		else console.log(`the folder is kept: ${folder}`);
		tell(report);
	}
	return report;
}

async function playRound(folder: string, random: () => number, target: string, report: BackupReport): Promise<void> {
	const [live, restored] = [join(folder, "live"), join(folder, "restored")];
	await mkdir(live);
	if (target.endsWith(names.folder)) await mkdir(target);
	const server = await startServerProcess(live, env);
	const history = newHistory();
	const writing = createClients(history, random).work(server, writers);
	const acknowledged = () => history.log.filter(({ isAcknowledged }) => isAcknowledged).length;
	await Promise.race([until(() => acknowledged() >= acknowledgedBefore), writing]);
	const [from, before] = [Date.now(), acknowledged()];
	const code = await spawnCommand(live, "backup", target).exited;
	const [to, after] = [Date.now() + 1, acknowledged()];
	await server.kill("SIGKILL");
	await writing;
	report.before += before;
	report.meanwhile += after - before;
	for (const [what, result] of [
		["the backup", code],
		["verify", await quietly(live, "verify", target)],
		["restore", await quietly(restored, "restore", target)],
		["verify of the restored folder", await quietly(restored, "verify")],
	])
		if (result !== 0) report.faults.push(`${what} ended with ${result}`);
	await compareRestored(restored, history, { from, to }, report);
}

async function compareRestored(folder: string, history: History, within: { readonly from: number; readonly to: number }, report: BackupReport): Promise<void> {
	const expected = historyWithin(history, within);
	const server = await startServerProcess(folder, env);
	try {
		const { documents, memories, faults } = await check(server, expected, true);
		report.documents += documents;
		report.memories += memories;
		report.faults.push(...faults);
		const fault = momentFault(history, expected);
		if (fault !== null) report.faults.push(fault);
	} finally {
		await server.kill("SIGKILL");
	}
}
