/** `cairn import --from SOURCE PATH`: what another program holds goes into a running server. */

import { stat } from "node:fs/promises";
import { fail } from "../../../core/errors/fail.ts";
import { chatgpt } from "../../import/chatgpt.ts";
import { claude } from "../../import/claude.ts";
import type { Source } from "../../import/item.ts";
import { markdown } from "../../import/markdown.ts";
import { mem0 } from "../../import/mem0.ts";
import { notion } from "../../import/notion.ts";
import { sendItems } from "../../import/send-items.ts";
import { supermemory } from "../../import/supermemory.ts";
import { zep } from "../../import/zep.ts";
import { type ClientCommand, wronglyCalled } from "./client-command.ts";
import { createProgressLine } from "./progress-line.ts";

const sources: Readonly<Record<string, Source>> = { chatgpt, claude, mem0, zep, supermemory, markdown, notion };

export const importFrom: ClientCommand = {
	words: "FOLDER|FILE --from SOURCE",
	meaning: `brings in what another program holds: ${Object.keys(sources).join(", ")}`,
	options: { from: { type: "string", value: "SOURCE", meaning: "which program it is of" } },
	run: async ({ words: [path, ...more], options, api, container, print, writeError, isTerminal }) => {
		const name = String(options["from"]);
		const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
		if (source === undefined) throw fail("COMMAND_INVALID", `nothing is imported from ${name}; there are ${Object.keys(sources).join(", ")}`);
		if (path === undefined || more.length > 0) wronglyCalled("import", importFrom);
		if ((await stat(path).catch(() => null)) === null) throw fail("COMMAND_INVALID", `there is no ${path}`);
		const items = await source(path);
		const progress = createProgressLine(items.length, isTerminal);
		const sent = await sendItems(items, { api, container, step: progress.step });
		progress.end();
		for (const { name: what, error } of sent.failed) writeError(`${what}: ${error}`);
		const { documents, memories, known } = sent;
		print(sent, [`${documents} documents and ${memories} memories sent${known > 0 ? `, ${known} memories were there already` : ""}`]);
		return sent.failed.length === 0 ? 0 : 1;
	},
};
