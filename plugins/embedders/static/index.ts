/**
 * Embeds with a table of word vectors that was trained in this repository (models/train): a text is the weighted sum of its
 * words. It knows that "car" is near "automobile", needs no download and no thread, and takes microseconds.
 */

import { open } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { crc32 } from "node:zlib";
import { definePlugin, type Embedder, fail, type Vector, type World } from "cairn-memory";
import { z } from "zod";
import { checkedAt, decodeModel, type Model } from "./model.ts";
import { createPool } from "./pool.ts";

/** The model that ships with Cairn. */
const shippedModel = fileURLToPath(new URL("../../../models/static-en/model.bin", import.meta.url));
/**
 * How much a full affinity adds to the word score. The mean over the development collections is flat from 0.15 to 0.3:
 * more helps short questions of one domain, and costs as much where names and numbers matter, see docs/search.md.
 */
const weight = 0.25;
/** Part of the space's name, since another pooling of the same table gives other vectors. */
const pooling = "paragraphs";
/**
 * So much text is embedded without a pause: about 5 ms. Nothing here ever waits, and heartbeats, other documents and the watch
 * over files being read are on the same thread.
 */
const charactersPerTurn = 20_000;
const pieceBytes = 256 * 1024;

export default definePlugin({
	name: "embedder-static",
	contract: 1,
	options: z.strictObject({
		/** A file that `models/train/train.ts` wrote. */
		model: z.string().default(shippedModel),
	}),
	start: async ({ model }, { world }) => ({ embedder: [create(await openModel(model), world)] }),
});

function create(model: Model, world: World): Embedder {
	const pool = createPool(model);
	return {
		name: "static",
		space: { ...model.space, name: `${model.space.name}-${pooling}`, calibration: { ...model.space.calibration, weight } },
		batchMax: 256,
		languages: ["en"],
		embed: async (texts, _purpose, step) => {
			const vectors: Vector[] = [];
			let characters = 0;
			for (const text of texts) {
				step.signal.throwIfAborted();
				vectors.push(pool(text));
				characters += text.length;
				if (characters < charactersPerTurn) continue;
				characters = 0;
				await world.sleep(1, step.signal);
			}
			return vectors;
		},
	};
}

async function openModel(path: string): Promise<Model> {
	const file = Bun.file(path);
	if (!(await file.exists())) throw fail("MODEL_FILE_BROKEN", path, "it is not there");
	return decodeModel(Bun.mmap(path), path, await checksumOf(path));
}

/** Reads the file separately from the memory mapping, whose pages would stay in memory although few rows are ever used. */
async function checksumOf(path: string): Promise<number> {
	await using file = await open(path);
	const piece = new Uint8Array(pieceBytes);
	let checksum = 0;
	for (let at = checkedAt; ; ) {
		const { bytesRead } = await file.read(piece, 0, pieceBytes, at);
		if (bytesRead === 0) return checksum;
		checksum = crc32(piece.subarray(0, bytesRead), checksum);
		at += bytesRead;
	}
}
