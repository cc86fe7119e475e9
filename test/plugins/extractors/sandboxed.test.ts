/** Every engine in the real sandbox: imports, readable files and the closed network are as the children have them. */

import { afterAll, expect, test } from "bun:test";
import type { MediaType, Plugin } from "cairn-memory";
import archivePlugin from "../../../plugins/extractors/archive/index.ts";
import calendarPlugin from "../../../plugins/extractors/calendar/index.ts";
import chatPlugin from "../../../plugins/extractors/chat/index.ts";
import codePlugin from "../../../plugins/extractors/code/index.ts";
import csvPlugin from "../../../plugins/extractors/csv/index.ts";
import epubPlugin from "../../../plugins/extractors/epub/index.ts";
import htmlPlugin from "../../../plugins/extractors/html/index.ts";
import jsonPlugin from "../../../plugins/extractors/json/index.ts";
import mailPlugin from "../../../plugins/extractors/mail/index.ts";
import markdownPlugin from "../../../plugins/extractors/markdown/index.ts";
import mediaPlugin from "../../../plugins/extractors/media/index.ts";
import notebookPlugin from "../../../plugins/extractors/notebook/index.ts";
import officePlugin from "../../../plugins/extractors/office/index.ts";
import pagesPlugin from "../../../plugins/extractors/pages/index.ts";
import rtfPlugin from "../../../plugins/extractors/rtf/index.ts";
import textPlugin from "../../../plugins/extractors/text/index.ts";
import xmlPlugin from "../../../plugins/extractors/xml/index.ts";
import { createSandbox } from "../../../server/boot/sandbox/create-sandbox.ts";
import { createHost, createStep, sourceOf, startExtractors } from "../../doubles/extractor-host.ts";
import { fixture } from "../../doubles/fixture.ts";
import { healthyPdf, hostilePdfs } from "../../doubles/hostile/hostile-pdfs.ts";
import { oneOfEach } from "../../doubles/one-of-each.ts";
import { codeOf } from "./samples.ts";

const sandbox = createSandbox({ log: () => undefined, processesMax: 1 });
afterAll(() => sandbox.close());

async function extract(plugin: Plugin, name: string, mediaType: MediaType, signal?: AbortSignal) {
	const extractors = await startExtractors(plugin, createHost(sandbox));
	const extractor = extractors.find(({ accepts }) => accepts.includes(mediaType));
	if (extractor === undefined) throw new Error(`nothing reads ${mediaType}`);
	const step = createStep(signal);
	return { extraction: await extractor.extract(sourceOf(fixture(name), mediaType), step), step };
}

const plugins = [
	archivePlugin,
	calendarPlugin,
	chatPlugin,
	codePlugin,
	csvPlugin,
	epubPlugin,
	htmlPlugin,
	jsonPlugin,
	mailPlugin,
	markdownPlugin,
	mediaPlugin,
	notebookPlugin,
	officePlugin,
	pagesPlugin,
	rtfPlugin,
	textPlugin,
	xmlPlugin,
].map((plugin) => plugin());

test.each(oneOfEach.map((file) => [file.name, file] as const))("%s is read in a child", async (_, { bytes, mediaType, words }) => {
	const extractors = (await Promise.all(plugins.map((plugin) => startExtractors(plugin, createHost(sandbox))))).flat();
	const extraction = await extractors.find(({ accepts }) => accepts.includes(mediaType))?.extract(sourceOf(bytes, mediaType), createStep());
	expect(extraction?.text).toContain(words);
});

test("errors and progress arrive", async () => {
	expect(await codeOf(extract(pagesPlugin(), "encrypted.pdf", "application/pdf"))).toBe("FILE_ENCRYPTED");
	const { step } = await extract(pagesPlugin(), "letter.pdf", "application/pdf");
	expect(step.reports.at(-1)).toMatchObject({ total: 2, unit: "page" });
});

test("no file spoils the next: not one that runs over the stack of its reader", async () => {
	const [pdf] = await startExtractors(pagesPlugin(), createHost(sandbox));
	for (const make of [hostilePdfs.exponentialForms, hostilePdfs.deepPageTree, hostilePdfs.exponentialForms]) {
		await codeOf(Promise.resolve(pdf?.extract(sourceOf(make(), "application/pdf"), createStep(AbortSignal.timeout(2_000)))));
		const next = await pdf?.extract(sourceOf(healthyPdf("Safe and sound"), "application/pdf"), createStep());
		expect(next?.text).toBe("Safe and sound");
	}
}, 120_000);

test("OCR under way is stopped by the signal", async () => {
	const controller = new AbortController();
	setTimeout(() => controller.abort(new Error("enough")), 150);
	await expect(extract(pagesPlugin(), "scan.pdf", "application/pdf", controller.signal)).rejects.toThrow();
});
