/** The notebook extractor: cells, outputs, old versions, the contract tests. */

import { describe, expect, test } from "bun:test";
import notebookPlugin from "../../../plugins/extractors/notebook/index.ts";
import { codeOf, extractorNamed, read, testContract } from "./samples.ts";

const start = () => extractorNamed(notebookPlugin(), "notebook");
const mediaType = "application/x-ipynb+json";

const storms = {
	nbformat: 4,
	metadata: { language_info: { name: "python" } },
	cells: [
		{ cell_type: "markdown", source: ["# Storms\n", "\n", "Counted by *hand*."] },
		{
			cell_type: "code",
			source: ["count(storms)\n"],
			outputs: [
				{ output_type: "stream", text: ["reading\n"] },
				{ output_type: "stream", text: "ten percent\rdone\n" },
				{ output_type: "display_data", data: { "image/png": "iVBORw0KGgo", "text/plain": ["<Figure size 1x1>"] } },
				{ output_type: "execute_result", data: { "text/plain": "13" } },
			],
		},
		{ cell_type: "raw", source: "The end." },
	],
};

async function extract(notebook: unknown) {
	return await read(await start(), typeof notebook === "string" ? notebook : JSON.stringify(notebook), mediaType);
}

describe("laws", () => {
	const words = "Storms Counted by hand count storms reading done 13 The end".split(" ");
	testContract(start, [{ bytes: new TextEncoder().encode(JSON.stringify(storms)), mediaType, fileName: "storms.ipynb", words, headings: ["Storms"] }]);
});

test("words are Markdown, code has its language, what it printed follows, pictures do not", async () => {
	const { extraction } = await extract(storms);
	expect(extraction.text).toBe("# Storms\n\nCounted by *hand*.\n\n```python\ncount(storms)\n```\n\n```\nreading\ndone\n13\n```\n\nThe end.");
	expect(extraction.title).toBe("Storms");
	expect(extraction.blocks[2]).toMatchObject({ kind: "code", language: "python", headings: ["Storms"] });
});

test("tables are read from their HTML, Markdown as Markdown, errors as what they say, without colours", async () => {
	const html = "<table><tr><th>year<th>storms<tr><td>1901<td>4</table>";
	const { blocks } = (
		await extract({
			cells: [
				{
					cell_type: "code",
					source: "x",
					outputs: [
						{ output_type: "execute_result", data: { "text/html": [html], "text/plain": "year storms" } },
						{ output_type: "display_data", data: { "text/markdown": "## Done" } },
						{ output_type: "error", ename: "NameError", evalue: "\u001b[31mno lamp\u001b[0m", traceback: ["long"] },
					],
				},
			],
		})
	).extraction;
	expect(blocks.map(({ kind, text }) => [kind, text])).toEqual([
		["code", "x"],
		["row", "year: 1901; storms: 4"],
		["heading", "Done"],
		["code", "NameError: no lamp"],
	]);
});

test("notebooks of version 3 are read", async () => {
	const { extraction } = await extract({
		nbformat: 3,
		metadata: { name: "Old" },
		worksheets: [
			{
				cells: [
					{ cell_type: "heading", level: 2, source: ["Tides"] },
					{ cell_type: "code", language: "julia", input: ["1 + 1"], outputs: [{ output_type: "pyout", text: ["2"] }] },
				],
			},
		],
	});
	expect(extraction.text).toBe("## Tides\n\n```julia\n1 + 1\n```\n\n```\n2\n```");
	expect(extraction.title).toBe("Old");
});

test("endless output is cut, with a remark", async () => {
	const { extraction, step } = await extract({
		cells: [{ cell_type: "code", source: "x", outputs: [{ output_type: "stream", text: "log\n".repeat(10_000) }] }],
	});
	expect(extraction.text.length).toBeLessThan(21_000);
	expect(step.warnings).toEqual([{ code: "OUTPUT_CUT", message: "1 outputs were cut after 20000 characters" }]);
});

test("what is no notebook is broken, one without words is empty", async () => {
	expect(await codeOf(extract("{ not json"))).toBe("FILE_BROKEN");
	expect(await codeOf(extract({ a: 1 }))).toBe("FILE_BROKEN");
	expect(await codeOf(extract({ cells: [{ cell_type: "code", source: [] }, 7] }))).toBe("CONTENT_EMPTY");
	const deep = await extract({ cells: [{ cell_type: "markdown", source: `${"> ".repeat(5_000)}deep` }] });
	expect(deep.extraction.text).toContain("deep");
});
