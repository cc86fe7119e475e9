/** Clients that add, change, delete and forget until their server is gone. */

import { acknowledge, begin, type History, type Known, newKnown } from "./history.ts";
import { type Answer, attempt, key, type Served } from "./talk.ts";

export interface Clients {
	/** Works with so many connections until one of them breaks. Any answer but success is a fault. */
	readonly work: (server: Served, connections: number) => Promise<void>;
}

const containers = 4;

export function createClients(history: History, random: () => number): Clients {
	let names = 0;
	const newWord = () => `w${(names++).toString(36)}q`;
	const busy = new Set<Known>();

	async function act(server: Served): Promise<boolean> {
		const chance = random();
		const kind = chance < 0.7 ? "documents" : "memories";
		const known = random() < 0.55 ? null : pick([...history[kind].values()].filter((one) => one.word !== null && one.unsure.size === 0 && !busy.has(one)));
		const use = known ?? add(kind);
		busy.add(use);
		try {
			const word = known !== null && random() < 0.5 ? null : newWord();
			return await write(server, kind, use, word, known === null);
		} finally {
			busy.delete(use);
		}
	}

	function add(kind: "documents" | "memories"): Known {
		const known = newKnown(`${kind === "documents" ? "doc" : "mem"}${names++}`, `tag-${Math.floor(random() * containers)}`);
		history[kind].set(known.name, known);
		return known;
	}

	function pick(choices: readonly Known[]): Known | null {
		return choices[Math.floor(random() * choices.length)] ?? null;
	}

	/** @returns false when the server is gone */
	async function write(server: Served, kind: "documents" | "memories", known: Known, word: string | null, isNew: boolean): Promise<boolean> {
		begin(known, word, history.log);
		const answer = await (kind === "documents" ? writeDocument(server, known, word) : writeMemory(server, known, word));
		if (answer === null) {
			history.counts.unanswered++;
			return false;
		}
		if (answer.status >= 300) throw new Error(`${known.name}: ${JSON.stringify(answer)}`);
		acknowledge(known, word, history.log);
		if (word !== null) history.counts[isNew ? "added" : "changed"]++;
		else history.counts[kind === "documents" ? "deleted" : "forgotten"]++;
		return true;
	}

	return {
		work: async (server, connections) => {
			let isGone = false;
			const one = async () => {
				while (!isGone) if (!(await act(server))) isGone = true;
			};
			await Promise.all(Array.from({ length: connections }, one));
		},
	};
}

function writeDocument(server: Served, { name, tag }: Known, word: string | null): Promise<Answer | null> {
	if (word === null) return attempt(server, "DELETE", `/v3/documents/${name}`);
	if (name.endsWith("3")) return uploadDocument(server, name, tag, word);
	// Memories are extracted from every fifth, which takes most of the time.
	const taskType = name.endsWith("0") || name.endsWith("5") ? "memory" : "superrag";
	return attempt(server, "POST", "/v3/documents", { content: `Note ${name} says ${word}.`, customId: name, containerTag: tag, taskType });
}

async function uploadDocument({ address }: Served, name: string, tag: string, word: string): Promise<Answer | null> {
	const form = new FormData();
	form.append("file", new File([`Note ${name} says ${word}.`], `${name}.txt`, { type: "text/plain" }));
	form.append("customId", name);
	form.append("containerTag", tag);
	form.append("taskType", "superrag");
	try {
		const response = await fetch(`${address}/v3/documents/file`, { method: "POST", headers: { authorization: `Bearer ${key}` }, body: form });
		return { status: response.status, body: (await response.json()) as Answer["body"] };
	} catch {
		return null;
	}
}

async function writeMemory(server: Served, known: Known, word: string | null): Promise<Answer | null> {
	const { name, id, tag: containerTag } = known;
	const content = `Slot ${name} holds ${word}.`;
	if (word === null) return attempt(server, "DELETE", "/v4/memories", { containerTag, id });
	const answer =
		id === null
			? await attempt(server, "POST", "/v4/memories", { containerTag, memories: [{ content }] })
			: await attempt(server, "PATCH", "/v4/memories", { containerTag, id, newContent: content });
	const stored = (id === null ? (answer?.body?.["memories"] as readonly { id: string }[] | undefined)?.[0] : answer?.body) as { id?: string } | undefined;
	known.id = stored?.id ?? known.id;
	return answer;
}
