/** Google Drive: export links of documents, tables and slides, files, and what is not shared. */

import { afterAll, expect, test } from "bun:test";
import googleDrive from "../../../plugins/address-readers/google-drive.ts";
import { exported, fileId, officeTypes, signIn, signInPage, warningPage } from "../../doubles/address-services/google-drive.ts";
import { busy, page, readerOf, readWith, refusalWith, startServicePeer } from "../../doubles/address-services/service-peer.ts";

const peer = startServicePeer();
afterAll(peer.close);
const plugin = googleDrive({ docs: peer.origin, drive: peer.origin });
const bytes = new Uint8Array([80, 75, 3, 4]);
const address = `https://docs.google.com/document/d/${fileId}/edit?usp=sharing#heading=h.1`;
const read = async (url: string) => {
	const { reading } = await readWith(plugin, url, peer);
	if (reading?.kind !== "bytes") throw new Error("it was not read");
	return reading;
};
const refused = async (answer: unknown) => {
	peer.answers = { [`/document/d/${fileId}/export`]: answer, "/ServiceLogin": signInPage };
	return await refusalWith(plugin, address, peer);
};

test.each([
	["document", `/document/d/${fileId}/export`, "?format=docx", "docx", "google_doc"],
	["spreadsheets", `/spreadsheets/d/${fileId}/export`, "?format=xlsx", "xlsx", "google_sheet"],
	["presentation", `/presentation/d/${fileId}/export/pptx`, "", "pptx", "google_slide"],
] as const)("a %s is exported and keeps its owner's name for it", async (kind, path, query, extension, type) => {
	peer.answers = { [path]: () => exported(bytes, `Pläne für May.${extension}`, officeTypes[extension]) };
	const reading = await read(`https://docs.google.com/${kind}/d/${fileId}/edit#gid=0`);
	expect(reading).toMatchObject({
		content: { bytes, fileName: `Pläne für May.${extension}`, claimedMediaType: officeTypes[extension] },
		known: { type, title: "Pläne für May", about: { siteName: "Google Drive", canonical: `https://docs.google.com/${kind}/d/${fileId}/edit` } },
	});
	expect(peer.asked.at(-1)).toBe(path + query);
});

test("a file is downloaded as it is, a page among them as well", async () => {
	peer.answers = { "/download": () => exported(bytes, "scan.pdf", "application/pdf") };
	const { content, known } = await read(`https://drive.google.com/file/d/${fileId}/view?usp=sharing&resourcekey=0-a`);
	expect(content).toMatchObject({ fileName: "scan.pdf", claimedMediaType: "application/pdf" });
	expect(Object.keys(known)).toEqual(["about"]);
	expect(peer.asked.at(-1)).toBe(`/download?id=${fileId}&export=download&confirm=t&resourcekey=0-a`);
	peer.answers = { "/download": () => exported(bytes, "page.html", "text/html") };
	expect((await read(`https://drive.google.com/open?id=${fileId}`)).content.fileName).toBe("page.html");
});

test("what is not shared, gone, empty or busy fails in words of its own", async () => {
	expect(await refused(() => signIn(peer.origin))).toMatchObject({
		code: "ADDRESS_PRIVATE",
		message: expect.stringContaining("sign in"),
		hint: expect.stringContaining("everyone who has the link"),
	});
	expect(await refused(signInPage)).toMatchObject({ code: "ADDRESS_PRIVATE" });
	expect(await refused(page("no", 401))).toMatchObject({ code: "ADDRESS_PRIVATE" });
	expect(await refused(page("no", 403))).toMatchObject({ code: "ADDRESS_PRIVATE" });
	expect(await refused(page("no", 404))).toMatchObject({ code: "ADDRESS_GONE" });
	expect(await refused(page("no", 400))).toMatchObject({ code: "ADDRESS_CHANGED" });
	expect(await refused(() => exported(new Uint8Array(), "x.docx", officeTypes.docx))).toMatchObject({
		code: "ADDRESS_CHANGED",
		message: expect.stringContaining("empty"),
	});
	expect(await refused(busy())).toMatchObject({ code: "ADDRESS_FAILED", mayPass: true });
	peer.answers = { "/download": warningPage };
	expect(await refusalWith(plugin, `https://drive.google.com/uc?id=${fileId}`, peer)).toMatchObject({ code: "ADDRESS_PRIVATE" });
});

test("published pages, folders and forms are left to be read as pages", async () => {
	const { recognizes } = await readerOf(plugin, peer);
	const known = [
		address,
		`https://docs.google.com/a/firm.example/document/d/${fileId}/edit`,
		`https://docs.google.com/document/u/1/d/${fileId}/edit`,
		`https://docs.google.com/spreadsheets/d/${fileId}`,
	];
	const others = [
		`https://docs.google.com/document/d/e/2PACX-${fileId}/pub`,
		`https://docs.google.com/document/d/${fileId}/pub`,
		`https://drive.google.com/drive/folders/${fileId}`,
		`https://docs.google.com/forms/d/${fileId}/viewform`,
		"https://docs.google.com/document/d/short/edit",
		`https://a.example/document/d/${fileId}/edit`,
	];
	expect([...known, ...others].filter((each) => recognizes(new URL(each)))).toEqual(known);
});
