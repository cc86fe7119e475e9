/** Rich text: RTF as word processors and notepads of all ages write it. */

import { definePlugin } from "cairn-memory";
import { z } from "zod";
import type { BytesInput } from "../../formats/blocks/content.ts";
import { rtfSigns } from "../../formats/rtf/signs.ts";
import { bytesOf, extractorOf } from "../read-in-sandbox.ts";

export default definePlugin({
	name: "extractor-rtf",
	contract: 1,
	options: z.strictObject({}),
	start: (_options, host) => ({
		extractor: [
			extractorOf<BytesInput>(host, {
				name: "rtf",
				signs: rtfSigns,
				engine: new URL("../../formats/rtf/engine.ts", import.meta.url),
				input: async (source) => ({ bytes: await bytesOf(source) }),
			}),
		],
	}),
});
