/** Office documents: Word, Excel and PowerPoint since 97, Visio, Pages, Keynote and Numbers, and OpenDocument. It is one plugin because extensions and declared types often confuse them. */

import { definePlugin, type Extractor } from "cairn-memory";
import { legacyKind } from "../../formats/cfb/legacy-kind.ts";
import { unknownOle } from "../../formats/cfb/refuse-ole.ts";
import { bytesOf, readInSandbox, typesAndSignatures } from "../read-in-sandbox.ts";
import { engines, type Kind, signaturesByKind } from "./kinds.ts";

/** A long document takes a second of CPU time. A workbook with 200,000 rows of ten cells takes nine, and more than half of the memory. */
const bounds = { timeoutMs: 300_000, memoryMb: 1_024 } as const;

export default definePlugin({
	name: "extractor-office",
	contract: 1,
	start(_options, host) {
		const extractor = (name: Kind): Extractor => ({
			name,
			...typesAndSignatures(signaturesByKind[name]),
			async extract(source, step) {
				const input = { bytes: await bytesOf(source) };
				const kind = legacyKind(input.bytes, name) ?? name;
				if (kind === "ole") throw unknownOle(input.bytes, source.mediaType);
				return await readInSandbox({ engine: engines[kind], input, ...bounds }, host, step);
			},
		});
		return { extractor: (Object.keys(signaturesByKind) as Kind[]).map(extractor) };
	},
});
