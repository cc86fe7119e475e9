/** Counts jobs and documents of all organisations. They are long reads, so other requests do not wait for them. */

import type { DocumentStatus, Statistics, Task, TaskStatistics } from "cairn-memory/stores";
import type { SqlEngine } from "./executor.ts";

interface JobRow {
	readonly task: Task;
	readonly waiting: number;
	readonly running: number;
	readonly oldest: number | null;
}

export async function countRecords({ aside }: Pick<SqlEngine, "aside">, now: Date): Promise<Statistics> {
	const [jobs, documents, pages] = await Promise.all([
		aside.all<JobRow>({
			sql: `SELECT task, count(*) - count(lease) AS waiting, count(lease) AS running, min(CASE WHEN lease IS NULL THEN not_before END) AS oldest
				FROM jobs GROUP BY task`,
			params: [],
		}),
		aside.all<{ status: DocumentStatus; count: number }>({ sql: "SELECT status, count(*) AS count FROM documents GROUP BY status", params: [] }),
		aside.all<{ bytes: number }>({ sql: "SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size", params: [] }),
	]);
	return {
		jobs: jobs.map((row) => taskStatistics(row, now)),
		documents: Object.fromEntries(documents.map(({ status, count }) => [status, count])),
		databaseBytes: pages[0]?.bytes ?? null,
		blobBytes: null,
	};
}

function taskStatistics({ task, waiting, running, oldest }: JobRow, now: Date): TaskStatistics {
	const dueMs = oldest === null ? 0 : Math.max(0, now.getTime() - oldest);
	return { task, waiting, running, oldestDueSeconds: dueMs / 1_000 };
}
