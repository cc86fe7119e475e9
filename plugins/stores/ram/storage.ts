/** The RAM storage: all ports over plain maps. Every call is done before another begins, so each is a transaction. */

import { type OrganisationId, type Storage, type StoragePlugin, searchable } from "cairn-memory";
import { ramAccounts } from "./accounts.ts";
import { ramBlobs } from "./blobs.ts";
import { ramContainers } from "./containers.ts";
import { ramDocuments } from "./documents.ts";
import { ramEvents } from "./events.ts";
import { ramTextSource, ramVectorSource } from "./index-source.ts";
import { ramJobs } from "./jobs.ts";
import { ramMemories, sweepExpired } from "./memories.ts";
import { ramProfiles } from "./profiles.ts";
import { ramRecords } from "./records.ts";
import { ramRemovals } from "./removals.ts";
import { ramSpaces } from "./spaces.ts";
import { type AllTables, emptyTables, type JobRows, type Tables } from "./tables.ts";

/** Searched, as core has it. */
export function ramStorage(now?: () => Date): Storage {
	return searchable(unsearchedRam(now));
}

/** @param now tells when memories have expired, for the upkeep. */
export function unsearchedRam(now: () => Date = () => new Date()): StoragePlugin {
	const organisations: AllTables = new Map();
	const jobs: JobRows = new Map();
	return {
		name: "ram",
		supports: { manyWriters: false, durable: false },
		organisation: (id) => {
			const tables = tablesOf(organisations, id);
			return {
				documents: ramDocuments(tables, jobs),
				memories: ramMemories(tables),
				blobs: ramBlobs(tables),
				containers: ramContainers(tables),
				profiles: ramProfiles(tables),
				records: ramRecords(tables),
				removals: ramRemovals(tables, jobs),
				events: ramEvents(tables),
			};
		},
		vectorSource: (id, space) => ramVectorSource(tablesOf(organisations, id), space),
		textSource: (id) => ramTextSource(tablesOf(organisations, id)),
		jobs: ramJobs(jobs, organisations),
		accounts: ramAccounts(),
		spaces: ramSpaces(organisations),
		migrate: async () => {},
		check: async () => {},
		maintain: async () => {
			for (const tables of organisations.values()) sweepExpired(tables, now());
		},
		close: async () => {},
	};
}

function tablesOf(organisations: AllTables, id: OrganisationId): Tables {
	const known = organisations.get(id);
	if (known !== undefined) return known;
	const fresh = emptyTables();
	organisations.set(id, fresh);
	return fresh;
}
