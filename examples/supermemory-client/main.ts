/** Adds a letter with Supermemory's own client, waits until it is read, and asks what it says. */

import Supermemory from "supermemory";

const client = new Supermemory({
	baseURL: process.env["CAIRN_URL"] ?? "http://127.0.0.1:6767",
	apiKey: process.env["CAIRN_API_KEY"] ?? "",
});
const containerTag = "leonie";
const letter = "Leonie lives in Gullhaven and works as a night nurse. She is allergic to nuts.";

const { id } = await client.add({ content: letter, containerTag, customId: "letter-1" });
while (!(await isRead(id))) await new Promise((resolve) => setTimeout(resolve, 50));

const { results } = await client.search.memories({ q: "What is Leonie allergic to?", containerTag });
for (const { memory, similarity } of results) console.log(similarity.toFixed(2), memory);

const { profile } = await client.profile({ containerTag });
console.log("profile:", [...profile.static, ...profile.dynamic]);

/** Its text can be found, and its memories are extracted. */
async function isRead(document: string): Promise<boolean> {
	const { status, dreamingStatus } = (await client.documents.get(document)) as { status: string; dreamingStatus?: string };
	if (status === "failed") throw new Error(`${document} could not be read`);
	return status === "done" && dreamingStatus === "done";
}
