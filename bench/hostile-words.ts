/**
 * Look-ups of words by one organisation while another, whose one text is 100,000 made-up words that are much alike, asks for
 * words that are none of them: each is compared with all of those. In process, in the thread that answers both.
 */

import { join } from "node:path";
import { asId, type OrganisationId, queryTermsOf, wholeOrganisation } from "cairn-memory";
import { migrate, migrations } from "../plugins/stores/sql/migrations.ts";
import { openWriter } from "../plugins/stores/sqlite/connection.ts";
import { wordsThread } from "../plugins/stores/sqlite/words/words-thread.ts";
import type { Measure } from "./measure.ts";
import { type Row, told } from "./row.ts";
import { temporaryFolder } from "./server.ts";
import { shown, timesOf } from "./times.ts";

const madeUp = 100_000;
const wordsPerText = 150;
const neighbourTexts = 1_000;
const asked = 100;
/** A person's pace. */
const everyMs = 10;
/** So many hostile questions wait at any time. */
const pressed = 20;
const [hostile, neighbour] = [asId<OrganisationId>("hostile"), asId<OrganisationId>("neighbour")];

export const hostileWords: Measure = async () => {
	await using folder = await temporaryFolder();
	const file = join(folder.path, "cairn.sqlite");
	fill(file);
	const thread = wordsThread({ file, folder: join(folder.path, "storage"), canRemove: false }, () => undefined);
	try {
		const ask = async (organisation: OrganisationId, query: string) => {
			const began = performance.now();
			await thread.index(organisation).matchChunks(queryTermsOf(query, 64), wholeOrganisation, 10);
			return performance.now() - began;
		};
		const one = () => ask(neighbour, "harbour keeper");
		for (let i = 0; i < 20; i++) await one();
		await ask(hostile, madeUpWord(0));
		const alone = await paced(one);
		const own: number[] = [];
		let isOver = false;
		let next = madeUp;
		const press = async () => {
			while (!isOver) own.push(await ask(hostile, Array.from({ length: 6 }, () => `${madeUpWord(next++).slice(0, -2)}qz`).join(" ")));
		};
		const pressing = Array.from({ length: pressed }, press);
		const beside = await paced(one);
		isOver = true;
		await Promise.all(pressing);
		return rows(alone, beside, own);
	} finally {
		await thread.close();
	}
};

function rows(alone: readonly number[], beside: readonly number[], own: readonly number[]): readonly Row[] {
	const [quiet, busy] = [timesOf(alone), timesOf(beside)];
	return [
		told("a neighbour's look-up of words alone", `p50 ${shown(quiet.p50)}, longest ${shown(quiet.max)}`),
		told(`beside ${pressed} hostile ones at any time`, `p50 ${shown(busy.p50)}, longest ${shown(busy.max)}`),
		told("a hostile look-up, in the line of its own", `p50 ${shown(timesOf(own).p50)}, ${own.length} answered`),
	];
}

async function paced(ask: () => Promise<number>): Promise<readonly number[]> {
	const took: number[] = [];
	for (let i = 0; i < asked; i++) {
		took.push(await ask());
		await Bun.sleep(everyMs);
	}
	return took;
}

function fill(file: string): void {
	const connection = openWriter(file);
	migrate(connection, migrations);
	const sql = "INSERT INTO chunks (organisation, id, document, revision, edition, position, text, place) VALUES (?, ?, 'd', 1, 1, ?, ?, '{}')";
	const insert = (organisation: string, position: number, text: string) => connection.statement(sql).run(organisation, `c${position}`, position, text);
	connection.db.transaction(() => {
		for (let i = 0; i < madeUp / wordsPerText; i++)
			insert(hostile, i, Array.from({ length: wordsPerText }, (_, at) => madeUpWord(i * wordsPerText + at)).join(" "));
		for (let i = 0; i < neighbourTexts; i++) insert(neighbour, i, `the harbour keeper counts ship ${i}`);
	})();
	connection.close();
}

/** Different words that share most of their letters. */
function madeUpWord(number: number): string {
	const letters = "abcdefghijklmnopqrstuvwxyz";
	let word = "lantern";
	for (let left = number, i = 0; i < 4; i++, left = Math.floor(left / letters.length)) word += letters[left % letters.length];
	return word;
}
