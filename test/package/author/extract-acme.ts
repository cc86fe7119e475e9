/** A third party's plugin: reads a format of its own in a child process. The tests copy it into a folder outside of the clone. */

import { completeExtraction, definePlugin, type Extractor } from "cairn-memory";
import { z } from "zod";

const bounds = { timeoutMs: 60_000, memoryMb: 512, outputBytesMax: 100_000 };

export default definePlugin({
	name: "cairn-plugin-extract-acme",
	contract: 1,
	options: z.strictObject({}),
	start: (_options, host) => {
		const acme: Extractor = {
			name: "acme",
			accepts: ["application/vnd.acme.foo"],
			signatures: [{ mediaType: "application/vnd.acme.foo", extensions: ["acme"], magicBytes: [new TextEncoder().encode("ACME")] }],
			extract: async (source, step) => {
				const engine = new URL("./acme-engine.ts", import.meta.url);
				const lines = await host.sandbox.run<Uint8Array, readonly string[]>({ engine, input: await source.bytes(), signal: step.signal, ...bounds });
				return completeExtraction({ blocks: lines.map((text) => ({ kind: "paragraph", text, headings: [], place: {} })), type: "text" });
			},
		};
		return { extractor: [acme] };
	},
});
