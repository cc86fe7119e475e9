/** Which languages OCR reads: from the operator's folder, in the order that was named, and what is said of one without a model. */

import { afterAll, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import pagesPlugin from "../../../../plugins/extractors/pages/index.ts";
import { findModels } from "../../../../plugins/formats/ocr/ocr-models.ts";
import { fixture } from "../../../doubles/fixture.ts";
import { codeOf, extractorNamed, keeper, read } from "../../extractors/samples.ts";

const folder = mkdtempSync(join(tmpdir(), "cairn-ocr-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const english = join(dirname(fileURLToPath(import.meta.resolve("@tesseract.js-data/eng"))), "4.0.0_best_int", "eng.traineddata.gz");
copyFileSync(english, join(folder, "lat.traineddata.gz"));
writeFileSync(join(folder, "deu.traineddata"), gunzipSync(await Bun.file(english).bytes()));
writeFileSync(join(folder, "notes.txt"), "no model");

const nowhere: readonly string[] = [];
const languagesOf = (...given: Parameters<typeof findModels>) => findModels(...given).map(({ language }) => language);

test("English without a folder; with one, all that is in it; named ones in their order", () => {
	expect(languagesOf({ languages: null, folder: null }, nowhere)).toEqual(["eng"]);
	expect(languagesOf({ languages: null, folder: join(folder, "none") }, nowhere)).toEqual(["eng"]);
	expect(languagesOf({ languages: null, folder }, nowhere)).toEqual(["eng", "deu", "lat"]);
	expect(languagesOf({ languages: ["lat", "eng"], folder }, nowhere)).toEqual(["lat", "eng"]);
	expect(findModels({ languages: ["deu", "eng"], folder: null }, [folder]).map(({ path }) => path)).toEqual([join(folder, "deu.traineddata"), english]);
});

test("a model that the system has takes the place of none that came with Cairn; one of the operator's does", () => {
	const own = mkdtempSync(join(folder, "own-"));
	const theirs = mkdtempSync(join(folder, "theirs-"));
	for (const place of [own, theirs]) copyFileSync(english, join(place, "eng.traineddata.gz"));
	expect(findModels({ languages: ["eng"], folder: null }, [theirs])).toEqual([{ language: "eng", path: english }]);
	expect(findModels({ languages: ["eng"], folder: own }, [theirs])).toEqual([{ language: "eng", path: join(own, "eng.traineddata.gz") }]);
});

test.each(["tlh", "../lat", "", "deu+eng"])("the language %j has no model: the start ends with where to put it", async (language) => {
	const started = extractorNamed(pagesPlugin({ data: folder, languages: [language === "" ? "x y" : language] }), "pdf");
	expect(await codeOf(started)).toBe("PLUGIN_OPTIONS_INVALID");
	expect(String(await started.catch((thrown: Error) => thrown.message))).toContain(`.traineddata into ${folder}; there are eng`);
});

test("a scan is read with models of the folder, packed or not, and in several languages at once", async () => {
	for (const languages of [["deu"], ["lat", "deu", "eng"]]) {
		const { extraction } = await read(await extractorNamed(pagesPlugin({ data: folder, languages }), "image"), fixture("strip.png"), "image/png");
		expect(extraction.text.replaceAll("\n", " ")).toContain(keeper[0] ?? "");
	}
}, 120_000);

test("the settings name the languages, and the config file another folder", () => {
	const said = { settings: { CAIRN_OCR_LANGUAGES: ["deu"] }, modelsDir: "/srv/models", modelTimeoutMs: 1, use: {} };
	const { configure } = pagesPlugin();
	expect(configure?.({}, said)?.options).toEqual({ data: "/srv/models/tesseract", languages: ["deu"] });
	expect(configure?.({ data: "/else" }, { ...said, settings: { CAIRN_OCR_LANGUAGES: null } })?.options).toEqual({ data: "/else" });
});
