/** A profile of a container with ten thousand memories, beside a page of the same memories: in process and through HTTP. */

import { createMemoryService } from "../core/memories/memory-service.ts";
import { limits } from "../core/model/limits.ts";
import { createProfileService, profileSections } from "../core/profile/profile-service.ts";
import { createWorld } from "../server/boot/world.ts";
import { compose } from "../server/compose.ts";
import { readSettings } from "../server/settings/read-settings.ts";
import { post } from "./client.ts";
import type { Measure } from "./measure.ts";
import { createWriter } from "./notes.ts";
import { judged, told } from "./row.ts";
import { key, startServer, temporaryFolder } from "./server.ts";
import { shown, timesOf } from "./times.ts";

const memories = 10_000;
const perRequest = 100;
const containerTag = "bench-profile";
const asked = 300;
const warmUp = 50;
const msMax = 5;

/** Ten thousand facts in one container, one in ten of them a lasting trait. */
async function fill(folder: string): Promise<void> {
	const server = await startServer(folder);
	try {
		const sentences = factsOf(memories);
		for (let from = 0; from < memories; from += perRequest) {
			const written = sentences.slice(from, from + perRequest).map((content, i) => ({ content, isStatic: i % 10 === 0 }));
			const body = JSON.stringify({ containerTag, memories: written });
			const answer = await fetch(`${server.address}/v4/memories`, {
				method: "POST",
				headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
				body,
			});
			if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
		}
	} finally {
		await server.stop();
	}
}

function factsOf(count: number): readonly string[] {
	const writer = createWriter(11);
	const facts: string[] = [];
	while (facts.length < count) facts.push(...writer.note().content.split(/(?<=\.) /));
	return facts.slice(0, count);
}

export const profile: Measure = async () => {
	await using folder = await temporaryFolder();
	await fill(folder.path);
	const inProcess = await measureInProcess(folder.path);
	const server = await startServer(folder.path);
	try {
		const http: number[] = [];
		for (let i = 0; i < warmUp + asked; i++) {
			const took = await post(server, "/v4/profile", { containerTag });
			if (i >= warmUp) http.push(took);
		}
		const [first, warm, page, past, through] = [inProcess.first, timesOf(inProcess.profile), timesOf(inProcess.page), timesOf(inProcess.past), timesOf(http)];
		return [
			told("first profile of 10,000 memories that are not sorted yet", shown(first)),
			judged("profile in process, 10,000 memories", `p50 ${shown(warm.p50)}, p99 ${shown(warm.p99)}`, `p50 < ${msMax} ms`, warm.p50 < msMax),
			told("one page of 100 of the same memories", `p50 ${shown(page.p50)}`),
			told("ratio of their p50", `${(warm.p50 / page.p50).toFixed(2)}×`),
			told("profile of another time (`asOf`), in process", `p50 ${shown(past.p50)}, p99 ${shown(past.p99)}`),
			told("profile through HTTP", `p50 ${shown(through.p50)}, p99 ${shown(through.p99)}`),
		];
	} finally {
		await server.stop();
	}
};

async function measureInProcess(folder: string) {
	const settings = { ...readSettings({ env: { CAIRN_DATA_DIR: folder }, flags: [] }), config: null };
	const { parts, stop } = await compose({ settings, config: {}, world: createWorld({ log: () => undefined }) });
	try {
		const [organisation] = await parts.storage.accounts.organisations();
		if (organisation === undefined) throw new Error("the folder has no organisation");
		const caller = { organisation: organisation.id, role: "admin", grants: null } as const;
		const [profiles, lists] = [createProfileService(parts), createMemoryService(parts, limits.undoMs)];
		const { signal } = new AbortController();
		const read = () => profiles.profile(caller, { containerTag, include: profileSections, buckets: null }, signal);
		const scope = { containerTags: [containerTag], tagsMatch: "any", filter: null, document: null, filepath: null } as const;
		const list = () => lists.list(caller, scope, { offset: 0, limit: 100, sort: "createdAt", order: "desc" }, true);
		const asOf = new Date();
		const readPast = () => profiles.profile(caller, { containerTag, include: profileSections, buckets: null, asOf }, signal);
		const first = await timed(read);
		// Each read sorts some of them, until all are.
		for (let sorted = 0; sorted < memories; sorted += 200) await read();
		const took = { first, profile: [] as number[], page: [] as number[], past: [] as number[] };
		for (let i = 0; i < warmUp + asked; i++) {
			const [profileMs, pageMs, pastMs] = [await timed(read), await timed(list), await timed(readPast)];
			if (i < warmUp) continue;
			took.profile.push(profileMs);
			took.page.push(pageMs);
			took.past.push(pastMs);
		}
		return took;
	} finally {
		await stop();
	}
}

async function timed(run: () => Promise<unknown>): Promise<number> {
	const began = performance.now();
	await run();
	return performance.now() - began;
}
