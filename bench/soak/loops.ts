/**
 * One kind of work again and again, and what the server holds after every thousand turns: `bun bench/soak/loops.ts --kind notes`.
 * Several kinds, with commas between them, run one after another. `--kind plain` is a server of Bun that does nothing, for comparison.
 * What JavaScript holds is counted after a full collection in every thread, so that a line that rises with level heaps is the
 * allocator's, and one that rises with them is somebody's reference.
 */

import { appendFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startReceiver } from "../../test/doubles/webhook-receiver.ts";
import { drained } from "../client.ts";
import { startServer, temporaryFolder } from "../server.ts";
import { askHeaps, type Heaps, heapWatch } from "./ask-heaps.ts";
import { kindsOf } from "./kinds.ts";
import { type Resources, resourcesOf } from "./resources.ts";

const { values } = parseArgs({
	options: {
		kind: { type: "string", default: "notes" },
		turns: { type: "string", default: "20000" },
		every: { type: "string", default: "1000" },
		lanes: { type: "string", default: "4" },
		keep: { type: "string" },
	},
});
const [turns, every, lanes] = [Number(values.turns), Number(values.every), Number(values.lanes)];
/** Types of which there are more, by this share of the turns, are named. */
const namedShare = 0.02;
const namedMax = 6;

await using temporary = await temporaryFolder();
const folder = join(temporary.path, "data");
const receiver = startReceiver();
const checkout = values.kind === "plain" ? resolve(import.meta.dir, "plain") : undefined;
const server = await startServer(folder, heapWatch, { CAIRN_FETCH_ALLOW: receiver.host }, checkout, false);
const kinds = kindsOf(server, receiver);
let before: Heaps | null = null;
console.log(
	"kind | turns | anonymous MB | mapped MB | heaps MB | outside MB | objects | database MB | log MB | handles | threads | children MB | more objects",
);
for (const name of values.kind.split(",")) await loop(name);
await server.stop();
await receiver.stop();

async function loop(name: string): Promise<void> {
	const kind = kinds[name];
	if (kind === undefined) throw new Error(`no such kind: ${name}`);
	await kind.begin?.();
	for (let done = 0; done <= turns; done += every) {
		if (done > 0) await inLanes(kind.turn);
		await drained(server, 600_000);
		const [heaps, held] = [await askHeaps(server), resourcesOf(server.pid, folder)];
		console.log([name, ...rowOf(done, heaps, held)].join(" | "));
		if (values.keep !== undefined) appendFileSync(values.keep, `${JSON.stringify({ kind: name, done, ...held, heaps: heaps.report.threads })}\n`);
		before = heaps;
	}
}

async function inLanes(turn: (lane: number) => Promise<void>): Promise<void> {
	let next = 0;
	const lane = async (number: number) => {
		while (next++ < every) await turn(number);
	};
	await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
}

function rowOf(done: number, heaps: Heaps, { anonymousMb, mappedMb, handles, threads, childrenMb }: Resources): readonly string[] {
	const sizes = ["", "-wal"].map((ending) => (statSync(join(folder, `sqlite/cairn.sqlite${ending}`), { throwIfNoEntry: false })?.size ?? 0) / 2 ** 20);
	const numbers = [anonymousMb, mappedMb, heaps.heapMb, heaps.outsideMb].map((number) => number.toFixed(1));
	const counts = [handles, threads, Math.round(childrenMb)].map(String);
	return [String(done), ...numbers, String(heaps.objects), ...sizes.map((size) => size.toFixed(1)), ...counts, moreObjects(heaps)];
}

function moreObjects({ report }: Heaps): string {
	return report.threads
		.flatMap(({ thread, objects }) => {
			const earlier = before?.report.threads.find((other) => other.thread === thread)?.objects;
			if (earlier === undefined) return [];
			const more = Object.entries(objects).map(([type, count]): [string, number] => [type, count - (earlier[type] ?? 0)]);
			const named = more.filter(([, count]) => count > every * namedShare).sort(([, a], [, b]) => b - a);
			const words = named.slice(0, namedMax).map(([type, count]) => `${type} +${count}`);
			return words.length === 0 ? [] : [`${thread}: ${words.join(" ")}`];
		})
		.join("; ");
}
