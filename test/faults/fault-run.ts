/**
 * The long runs of the fault tests, for a night or a lunch: `bun test/faults/fault-run.ts kills 1000`. `npm test` runs a few of each.
 * It prints a table and ends with 1 if anything was lost, came back or hung.
 */

import { existsSync } from "node:fs";
import { runBackupRounds } from "./rig/backup-run.ts";
import { runDamage } from "./rig/damage-run.ts";
import { runKills, shareKills } from "./rig/kill-run.ts";
import { runNodes } from "./rig/nodes-run.ts";
import { runPowerCuts } from "./rig/power/power-run.ts";

const usage =
	"bun test/faults/fault-run.ts kills|power-cuts|damage|backups|nodes [count] [--seed N] [--minutes N] [--older CHECKOUT] [--pause-while FILE] [--restart-database COMMAND]";
const [kind, count = "1000"] = process.argv.slice(2);
const began = performance.now();
const option = (name: string): string | null => {
	const at = process.argv.indexOf(`--${name}`);
	return at < 0 ? null : (process.argv[at + 1] ?? null);
};
const seed = Number(option("seed") ?? 1);
const minutes = Number(option("minutes") ?? Number.POSITIVE_INFINITY);
let toldFaults = 0;
/** At once, because the run may go on for an hour and the folder goes on changing. */
function tellFaults(faults: readonly string[]): void {
	for (const fault of faults.slice(toldFaults)) console.error(`FAULT after ${Math.round((performance.now() - began) / 1_000)} s: ${fault}`);
	toldFaults = faults.length;
}
let isAsked = false;
/** The first asks for an end with the table, the second ends at once. */
process.once("SIGINT", () => {
	isAsked = true;
});
/** Also waits as long as a file is there, for a machine that others need now and then. */
const isOver = async () => {
	const file = option("pause-while");
	while (file !== null && existsSync(file)) await Bun.sleep(1_000);
	return isAsked || performance.now() - began > minutes * 60_000;
};

if (kind === "kills") await kills();
else if (kind === "power-cuts") await powerCuts();
else if (kind === "damage") await damage();
else if (kind === "backups") await backups();
else if (kind === "nodes") await nodes();
else {
	console.error(usage);
	process.exit(2);
}

async function kills(): Promise<void> {
	let done = 0;
	const { scenes, counts, faults } = await runKills({
		kills: shareKills(Number(count)),
		seed,
		olderVersion: option("older"),
		isOver,
		tell: ({ faults: soFar }) => {
			tellFaults(soFar);
			if (++done % 20 === 0) console.error(`${done} kills, ${soFar.length} faults, ${Math.round((performance.now() - began) / 1_000)} s`);
		},
	});
	console.log("| Killed during | Kills | of these in the middle | Acknowledged | Compared | Faults |\n|---|---|---|---|---|---|");
	for (const [name, { kills: killed, met, acknowledged, compared, faults: found }] of scenes)
		console.log(`| ${name} | ${killed} | ${met} | ${acknowledged} | ${compared} | ${found} |`);
	console.log(
		`\nacknowledged: ${Object.entries(counts)
			.map(([name, number]) => `${name} ${number}`)
			.join(", ")}`,
	);
	finish(faults);
}

/** Needs a PostgreSQL server in `CAIRN_TEST_POSTGRES_URL`; with `--restart-database` a command restarts it in the middle. */
async function nodes(): Promise<void> {
	const { counts, faults } = await runNodes({
		url: process.env["CAIRN_TEST_POSTGRES_URL"] ?? "",
		documents: Number(count),
		seed,
		restartDatabase: option("restart-database"),
		tell: (line) => console.error(`${Math.round((performance.now() - began) / 1_000)} s: ${line}`),
	});
	console.log("| What | How many |\n|---|---|");
	for (const [what, number] of Object.entries(counts)) console.log(`| ${what} | ${number} |`);
	finish(faults);
}

async function powerCuts(): Promise<void> {
	const { cuts, compared, writes, syncs, faults } = await runPowerCuts({
		cuts: Number(count),
		seed,
		operations: Number(option("operations") ?? 400),
		isOver,
		tell: (done, soFar) => {
			if (done % 20 === 0) console.error(`${done} cuts, ${soFar} faults, ${Math.round((performance.now() - began) / 1_000)} s`);
		},
	});
	console.log(`${cuts} cuts among ${writes} writes and ${syncs} syncs; ${compared} documents and memories compared`);
	finish(faults);
}

async function damage(): Promise<void> {
	let done = 0;
	const { counts, faults } = await runDamage({
		folders: Number(count),
		seed,
		isOver,
		tell: ({ faults: soFar }) => {
			tellFaults(soFar);
			if (++done % 20 === 0) console.error(`${done} folders, ${soFar.length} faults, ${Math.round((performance.now() - began) / 1_000)} s`);
		},
	});
	console.log("| Harmed | Folders | Right | Refused | Reported | Silent | Hung |\n|---|---|---|---|---|---|---|");
	const rows = [...counts].toSorted(([a], [b]) => a.localeCompare(b));
	for (const [file, { folders, right, refused, reported, silent, hung }] of rows)
		console.log(`| ${file} | ${folders} | ${right} | ${refused} | ${reported} | ${silent} | ${hung} |`);
	finish(faults);
}

async function backups(): Promise<void> {
	const { rounds, before, meanwhile, documents, memories, faults } = await runBackupRounds({
		rounds: Number(count),
		seed,
		isOver,
		tell: ({ rounds: done, faults: soFar }) => {
			tellFaults(soFar);
			console.error(`${done} backups, ${soFar.length} faults, ${Math.round((performance.now() - began) / 1_000)} s`);
		},
	});
	console.log(`${rounds} backups: ${before} operations acknowledged before they began, ${meanwhile} while they were taken`);
	console.log(`${documents} documents and ${memories} memories compared`);
	finish(faults);
}

function finish(faults: readonly string[]): void {
	for (const fault of faults) console.log(`FAULT ${fault}`);
	console.log(`${faults.length} faults, seed ${seed}, ${Math.round((performance.now() - began) / 1_000)} s`);
	process.exit(faults.length === 0 ? 0 : 1);
}
