/** What a mutant of a storage is: a sound storage with one promise broken, and the contract test that must notice. */

import type { OrganisationId } from "cairn-memory";
import type { DocumentStore, JobQueue, MemoryStore, Storage, TenantStore, VectorSearch, WordSearch } from "cairn-memory/stores";

export interface StorageMutant {
	/** What is wrong with it. */
	readonly name: string;
	/** The name of the contract test that catches it. */
	readonly breaks: string;
	readonly spoil: (sound: Storage) => Storage;
}

export function spoilTenant(spoil: (tenant: TenantStore, sound: Storage, id: OrganisationId) => Partial<TenantStore>): StorageMutant["spoil"] {
	return (sound) => ({
		...sound,
		organisation: (id) => {
			const tenant = sound.organisation(id);
			return { ...tenant, ...spoil(tenant, sound, id) };
		},
	});
}

export function spoilDocuments(spoil: (documents: DocumentStore, sound: Storage) => Partial<DocumentStore>): StorageMutant["spoil"] {
	return spoilTenant(({ documents }, sound) => ({ documents: { ...documents, ...spoil(documents, sound) } }));
}

export function spoilMemories(spoil: (memories: MemoryStore) => Partial<MemoryStore>): StorageMutant["spoil"] {
	return spoilTenant(({ memories }) => ({ memories: { ...memories, ...spoil(memories) } }));
}

export function spoilWords(spoil: (words: WordSearch) => Partial<WordSearch>): StorageMutant["spoil"] {
	return spoilTenant(({ words }) => ({ words: { ...words, ...spoil(words) } }));
}

export function spoilVectors(spoil: (vectors: VectorSearch) => Partial<VectorSearch>): StorageMutant["spoil"] {
	return spoilTenant(({ vectors }) => ({
		vectors: (space) => {
			const index = vectors(space);
			return { ...index, ...spoil(index) };
		},
	}));
}

export function spoilJobs(spoil: (jobs: JobQueue) => Partial<JobQueue>): StorageMutant["spoil"] {
	return (sound) => ({ ...sound, jobs: { ...sound.jobs, ...spoil(sound.jobs) } });
}
