/** Profile buckets that would suit an organisation, from what its documents and memories keep coming back to. */

import type { ProfileBucket } from "../model/container.ts";
import { wholeOrganisation } from "../model/scope.ts";
import type { OrganisationRooms } from "../ports/storage.ts";
import { topicsOf } from "../search/topics.ts";
import { normalize } from "../search/words.ts";
import type { Settings } from "./settings.ts";

/** The contract's bound. */
const suggestionsMax = 6;
/** More topics than buckets: some are no key, some are there already, some belong to another. */
const topicsMax = 40;
const documentsMax = 200;
const memoriesMax = 500;
/** What somebody says in a prompt weighs as much as what so many texts say. */
const promptWeight = 3;

/** None when nothing comes back. */
export async function suggestBuckets(settings: Settings, rooms: OrganisationRooms): Promise<readonly ProfileBucket[]> {
	const prompts = [settings.filterPrompt, settings.workspacePrompt].filter((prompt) => prompt !== null);
	const texts = [...prompts.flatMap((prompt) => Array.from({ length: promptWeight }, () => prompt)), ...(await textsOf(rooms))];
	const taken = new Set(settings.profileBuckets.map(({ key }) => key));
	const buckets: ProfileBucket[] = [];
	for (const { word, companions } of topicsOf(texts, topicsMax)) {
		const key = normalize(word);
		if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(key) || taken.has(key)) continue;
		// What is mostly told along with it would hold the same memories under another name.
		for (const each of [key, ...companions.map(normalize)]) taken.add(each);
		buckets.push({ key, description: `What concerns ${[word, ...companions].join(", ")}` });
		if (buckets.length === suggestionsMax) break;
	}
	return buckets;
}

async function textsOf({ documents, memories }: OrganisationRooms): Promise<readonly string[]> {
	const newest = (limit: number) => ({ offset: 0, limit, sort: "createdAt", order: "desc" }) as const;
	const [read, known] = await Promise.all([
		documents.list(wholeOrganisation, ["done"], newest(documentsMax), false),
		memories.list(wholeOrganisation, true, newest(memoriesMax)),
	]);
	const summaries = read.documents.map(({ findings }) => `${findings.title ?? ""}\n${findings.summary ?? ""}`);
	return [...summaries, ...known.memories.filter(({ isForgotten }) => !isForgotten).map(({ text }) => text)];
}
