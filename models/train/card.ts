/**
 * Writes the card of a model: `bun models/train/card.ts --to FOLDER RUN…`. A run is a folder with `model.json`, and with
 * `bench.json` where it was measured; the first is the model that ships.
 */

import { parseArgs } from "node:util";
import { benchRecord } from "./export/bench-record.ts";
import { type CardRun, writeCard } from "./export/card.ts";

const { values, positionals } = parseArgs({ options: { to: { type: "string" } }, allowPositionals: true });
const [first, ...others] = await Promise.all(positionals.map(readRun));
if (values.to === undefined || first === undefined) throw new Error("say where the card goes and which runs it tells of: --to FOLDER RUN…");
await Bun.write(`${values.to}/README.md`, writeCard([first, ...others]));

async function readRun(folder: string): Promise<CardRun> {
	const bench = Bun.file(`${folder}/bench.json`);
	return { model: await Bun.file(`${folder}/model.json`).json(), bench: (await bench.exists()) ? benchRecord.parse(await bench.json()) : null };
}
