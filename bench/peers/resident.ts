/** Prints what the indexes of a folder take in a process that has asked them all questions, in bytes: `bun bench/peers/resident.ts FOLDER`. */

import staticTable from "../../plugins/embedders/static/index.ts";
import { partOf } from "../../test/contract/start.ts";
import { anonymousBytes } from "../anonymous-bytes.ts";
import { indexesIn } from "./indexes.ts";
import { questionsOf } from "./passages.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
	console.error("usage: bun bench/peers/resident.ts FOLDER");
	process.exit(1);
}
const embedder = await partOf(staticTable(), "embedder");
const questions = await questionsOf(embedder);
Bun.gc(true);
const before = { anonymous: await anonymousBytes(), all: process.memoryUsage.rss() };
await using indexes = await indexesIn(folder, embedder, {})();
for (const question of questions) await indexes.files.hybrid(question, null);
const anonymous = (await anonymousBytes()) - before.anonymous;
console.log(JSON.stringify({ anonymous, mapped: process.memoryUsage.rss() - before.all - anonymous }));
