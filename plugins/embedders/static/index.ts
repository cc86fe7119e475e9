/**
 * Embeds with a table of word vectors that was trained in this repository (models/train): the vector of a text is the weighted sum
 * of its words' vectors. It knows that "car" is near "automobile", needs no download and no thread, and takes microseconds per text.
 */

import { open } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { crc32 } from "node:zlib";
import { definePlugin, type Embedder, fail, type Vector } from "cairn-memory";
import { yieldIfDue } from "cairn-memory/words";
import { z } from "zod";
import { checkedFrom, decodeModel, type Model } from "./model.ts";
import { createPool } from "./pool.ts";

/** The model that ships with Cairn. */
const shippedModel = fileURLToPath(new URL("../../../models/static-en/model.bin", import.meta.url));
/**
 * How much the highest affinity adds to the word score. The mean result on the development collections is flat from 0.15 to 0.3:
 * a higher weight helps short questions of one domain, and costs as much if names and numbers matter, see docs/search.md.
 */
const weight = 0.25;
/** This is part of the space's name, because another pooling of the same table makes other vectors. */
const pooling = "paragraphs";
const bufferBytes = 256 * 1024;

export default definePlugin({
	name: "embedder-static",
	contract: 1,
	options: z.strictObject({
		/** Path of a file written by `models/train/train.ts`. */
		model: z.string().default(shippedModel),
	}),
	start: async ({ model }) => ({ embedder: [create(await openModel(model))] }),
});

function create(model: Model): Embedder {
	const pool = createPool(model);
	return {
		name: "static",
		space: { ...model.space, name: `${model.space.name}-${pooling}`, calibration: { ...model.space.calibration, weight } },
		batchMax: 256,
		languages: ["en"],
		wordVector: pool.ofWord,
		embed: async (texts, _purpose, step) => {
			const vectors: Vector[] = [];
			for (const text of texts) {
				step.signal.throwIfAborted();
				vectors.push(pool.ofText(text));
				const pause = yieldIfDue();
				if (pause !== null) await pause;
			}
			return vectors;
		},
	};
}

async function openModel(path: string): Promise<Model> {
	const file = Bun.file(path);
	if (!(await file.exists())) throw fail("MODEL_FILE_BROKEN", path, "it does not exist");
	return decodeModel(Bun.mmap(path), path, await checksumOf(path));
}

/** Reads the file apart from its memory mapping, because pages read through the mapping would stay in memory although few rows are ever used. */
async function checksumOf(path: string): Promise<number> {
	await using file = await open(path);
	const buffer = new Uint8Array(bufferBytes);
	let checksum = 0;
	for (let offset = checkedFrom; ; ) {
		const { bytesRead } = await file.read(buffer, 0, bufferBytes, offset);
		if (bytesRead === 0) return checksum;
		checksum = crc32(buffer.subarray(0, bytesRead), checksum);
		offset += bytesRead;
	}
}
