/** Writes of the profile store. */

import type { OrganisationId, Sorted } from "cairn-memory";
import type { Executor } from "../executor.ts";
import { repeatable } from "../operation.ts";

export function profileOperations({ statement }: Executor) {
	return {
		sortMemories: repeatable(({ organisation, sorting, sorted }: { organisation: OrganisationId; sorting: string; sorted: readonly Sorted[] }): void => {
			const list = JSON.stringify(sorted.map(({ memory, buckets }) => [memory, buckets]));
			const named = "(SELECT value ->> 0 FROM json_each(?2))";
			statement(`DELETE FROM memory_buckets WHERE organisation = ?1 AND memory IN ${named}`).run(organisation, list);
			statement(
				`INSERT OR IGNORE INTO memory_buckets (organisation, container_tag, bucket, created_at, memory)
					SELECT m.organisation, m.container_tag, b.value, m.created_at, m.id FROM json_each(?2) j CROSS JOIN json_each(j.value, '$[1]') b
					CROSS JOIN memories m WHERE m.organisation = ?1 AND m.id = j.value ->> 0`,
			).run(organisation, list);
			statement(`UPDATE memories SET sorting = ?3 WHERE organisation = ?1 AND id IN ${named}`).run(organisation, list, sorting);
		}),
	};
}
