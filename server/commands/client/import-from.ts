/** `cairn import --from SOURCE PATH` imports the exported data of another program into a running server. */

import { stat } from "node:fs/promises";
import { fail } from "../../../core/errors/fail.ts";
import { chatgpt } from "../../import/chatgpt.ts";
import { claude } from "../../import/claude.ts";
import type { ItemReader } from "../../import/item.ts";
import { markdown } from "../../import/markdown.ts";
import { mem0 } from "../../import/mem0.ts";
import { notion } from "../../import/notion.ts";
import { sendItems } from "../../import/send-items.ts";
import { supermemory } from "../../import/supermemory.ts";
import { zep } from "../../import/zep.ts";
import { type ClientCommand, failWithUsage } from "./client-command.ts";
import { createProgressLine } from "./progress-line.ts";

const sources: Readonly<Record<string, ItemReader>> = { chatgpt, claude, mem0, zep, supermemory, markdown, notion };

export const sourceNames = Object.keys(sources);

export const importFrom: ClientCommand = {
	usage: "FOLDER|FILE --from SOURCE",
	description: `imports the exported data of another program: ${sourceNames.join(", ")}`,
	options: { from: { type: "string", value: "SOURCE", description: "the program that the data comes from" } },
	run: async ({ args: [path, ...extraArgs], options, api, container, print, writeError, isTerminal }) => {
		const name = String(options["from"]);
		const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
		if (source === undefined) throw fail("COMMAND_INVALID", `${name} is not a known source; the sources are ${sourceNames.join(", ")}`);
		if (path === undefined || extraArgs.length > 0) failWithUsage("import", importFrom);
		if ((await stat(path).catch(() => null)) === null) throw fail("COMMAND_INVALID", `there is no ${path}`);
		const items = await source(path);
		const progress = createProgressLine(items.length, isTerminal);
		const result = await sendItems(items, { api, container, onItemDone: progress.step });
		progress.end();
		for (const { name: itemName, error } of result.failed) writeError(`${itemName}: ${error}`);
		const { documents, memories, known } = result;
		print(result, [`${documents} documents and ${memories} memories sent${known > 0 ? `, ${known} memories existed already` : ""}`]);
		return result.failed.length === 0 ? 0 : 1;
	},
};
