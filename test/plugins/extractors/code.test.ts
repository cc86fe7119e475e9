/** The extractor of code: one block with its language, encodings, the contract tests. */

import { describe, expect, test } from "bun:test";
import codePlugin from "../../../plugins/extractors/code/index.ts";
import { codeOf, extractorNamed, read, testContract } from "./samples.ts";

const start = () => extractorNamed(codePlugin(), "code");
const program = "# counts storms\ndef count(storms):\n    return len(storms)  # `all` of them\n";

describe("laws", () => {
	const words = "counts storms def count storms return len storms all of them".split(" ");
	testContract(start, [{ bytes: new TextEncoder().encode(program), mediaType: "text/x-python", fileName: "count.py", words }]);
});

test("a file is one block of its language", async () => {
	const { extraction } = await read(await start(), `\n\n${program}\n`, "text/x-python", { fileName: "count.py" });
	expect(extraction.blocks).toEqual([
		{ kind: "code", language: "python", text: program.trimEnd(), headings: [], place: { span: [10, 10 + program.trimEnd().length] } },
	]);
	expect(extraction.text).toBe(`\`\`\`python\n${program.trimEnd()}\n\`\`\``);
	expect(extraction.title).toBeNull();
});

test("a dialect is named by its ending, old encodings are read", async () => {
	expect((await read(await start(), "<a/>", "text/x-typescript", { fileName: "App.tsx" })).extraction.blocks[0]).toMatchObject({ language: "tsx" });
	const wide = Buffer.from("\ufeffprint('ø')", "utf16le");
	expect((await read(await start(), wide, "text/x-python")).extraction.blocks[0]?.text).toBe("print('ø')");
});

test("blank code is empty, bytes are broken", async () => {
	expect(await codeOf(read(await start(), "\n \n", "text/x-go"))).toBe("CONTENT_EMPTY");
	expect(await codeOf(read(await start(), new Uint8Array(500).fill(1), "text/x-go"))).toBe("FILE_BROKEN");
});
