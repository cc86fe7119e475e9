/** Recordings over HTTP: heard by the service that the settings name, found by their words, and no way for clients to the service's host. */

import { afterAll, expect, test } from "bun:test";
import { mp3Of, narrowText } from "../doubles/audio-files.ts";
import { matroskaOf } from "../doubles/matroska-file.ts";
import { startTestServer, type TestClient } from "../doubles/test-server.ts";
import { complaint, startTranscriptionService, verbose } from "../doubles/transcription-service.ts";

const key = "sk-transcription-secret";
const lines: string[] = [];
const service = startTranscriptionService(({ authorization }) =>
	authorization === `Bearer ${key}` ? verbose([[0, 4, "The harbour freezes in January."]]) : complaint(401, "who are you?"),
);
const world = { log: (...line: readonly unknown[]) => void lines.push(JSON.stringify(line)) };
const server = await startTestServer([`--transcription-url=${service.url}`, `--transcription-key=${key}`, "--transcription-model=base"], {}, { world });
const deaf = await startTestServer();
afterAll(() => Promise.all([server.dispose(), deaf.dispose(), service.stop()]));

const song = mp3Of([["TIT2", narrowText("Winter")]]);

async function upload(client: TestClient, name: string, bytes: Uint8Array): Promise<Record<string, unknown>> {
	const form = new FormData();
	form.append("file", new File([new Uint8Array(bytes)], name));
	const { id } = (await (await client.send("POST", "/v3/documents/file", undefined, { body: form })).json()) as { readonly id: string };
	return client.finished(id);
}

test("a recording is heard, named by its label, and found by what is said in it", async () => {
	const client = await server.client();
	const document = await upload(client, "a.mp3", song);
	expect(document).toMatchObject({ status: "done", type: "audio", title: "Winter", content: "The harbour freezes in January." });
	expect(service.heard.at(-1)).toMatchObject({ model: "base", authorization: `Bearer ${key}` });
	const found = (await (await client.send("POST", "/v3/search", { q: "harbour in January" })).json()) as {
		readonly results: readonly { readonly documentId: string }[];
	};
	expect(found.results.map(({ documentId }) => documentId)).toEqual([String(document["id"])]);
	expect(lines.join()).not.toContain(key);
});

test("a film with subtitles is read and not sent", async () => {
	const before = service.heard.length;
	const film = matroskaOf({
		tracks: [
			{ type: "video", codec: "V_VP9" },
			{ type: "subtitles", codec: "S_TEXT/UTF8", cues: [{ begin: 0, end: 1000, text: "Written words." }] },
		],
	});
	expect(await upload(await server.client(), "a.mkv", film)).toMatchObject({ status: "done", type: "video", content: "Written words." });
	expect(service.heard.length).toBe(before);
});

test("the service's host is allowed for transcription alone: a client's address never leads there", async () => {
	const client = await server.client();
	const before = service.heard.length;
	const { id } = (await (await client.send("POST", "/v3/documents", { content: `${service.url}/models` })).json()) as { readonly id: string };
	expect(await client.finished(id)).toMatchObject({ status: "failed", error: { code: "ADDRESS_BLOCKED" } });
	expect(service.heard.length).toBe(before);
});

test("where nothing is set up the failure says what to do, and a subtitle file needs nothing", async () => {
	const client = await deaf.client();
	const failed = await upload(client, "a.mp3", song);
	expect(failed).toMatchObject({
		...{ status: "failed", type: "audio", dreamingStatus: "done" },
		error: { code: "TRANSCRIPTION_UNAVAILABLE", hint: expect.stringContaining("CAIRN_TRANSCRIPTION_URL") },
	});
	for (const taskType of ["superrag", "memory"]) await client.send("PATCH", `/v3/documents/${failed["id"]}`, { taskType });
	expect(await (await client.send("GET", `/v3/documents/${failed["id"]}`)).json()).toMatchObject({ status: "failed", dreamingStatus: "done" });
	const subtitles = new TextEncoder().encode("1\n00:00:01,000 --> 00:00:02,000\nWritten words.\n");
	expect(await upload(client, "a.srt", subtitles)).toMatchObject({ status: "done", content: "Written words." });
});
