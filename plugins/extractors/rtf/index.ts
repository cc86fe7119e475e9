/** Rich text: RTF as word processors and notepads of all ages write it. */

import { definePlugin, type Extractor } from "cairn-memory";
import { z } from "zod";
import { bytesOf, readInSandbox, textBounds } from "../read-in-sandbox.ts";
import type { RtfInput } from "./engine.ts";

export default definePlugin({
	name: "extractor-rtf",
	contract: 1,
	options: z.strictObject({}),
	start(_options, host) {
		const extractor: Extractor = {
			name: "rtf",
			accepts: ["application/rtf", "text/rtf"],
			async extract(source, step) {
				const input: RtfInput = { bytes: await bytesOf(source) };
				return await readInSandbox({ engine: new URL("./engine.ts", import.meta.url), input, ...textBounds }, host, step);
			},
		};
		return { extractor: [extractor] };
	},
});
