/** One page of documents in the order of their times, and how many there are in all. */

import { type DocumentStatus, documentStatuses, isUnrestricted, type Listed, type OrganisationId, type Page, type Scope } from "cairn-memory";
import type { Question, SqlEngine } from "../executor.ts";
import { manyRows, readHereMax } from "../read-many.ts";
import { pageOrder } from "../scopes/page-order.ts";
import { documentScope } from "../scopes/scope-sql.ts";
import { type DocumentRow, documentOf } from "./document-row.ts";
import { selectShown, selectWithoutTexts } from "./select-document.ts";

/** So many are read and sorted in two milliseconds; with three hundred times as many in all, a page of ten takes as long along the order. */
const manyDocuments = 300;

export interface ListRequest {
	readonly scope: Scope;
	readonly statuses: readonly DocumentStatus[];
	readonly page: Page;
	readonly includeContent: boolean;
}

export function documentLister(organisation: OrganisationId, engine: SqlEngine): (asked: ListRequest) => Promise<Listed> {
	const { statement, snapshot } = engine;
	const many = manyRows("documents", organisation, engine);
	const here = <Row>({ sql, params }: Question): readonly Row[] => statement<Row>(sql).all(...params);

	const listedOf = (total: number, asked: ListRequest) => listed(here(pageQuestion(organisation, asked, total)), total);

	return async (asked) => {
		const count = countQuestion(organisation, asked);
		if (!many.areMany()) return snapshot(() => listedOf(totalOf(here(count)), asked));
		const total = totalOf(await many.all(count));
		const page = pageQuestion(organisation, asked, total);
		return listed(isAlongIndex(asked) ? here(page) : await many.all(page), total);
	};
}

function listed(rows: readonly DocumentRow[], total: number): Listed {
	return { documents: rows.map(documentOf), total };
}

function totalOf([row]: readonly { readonly total: number }[]): number {
	return row?.total ?? 0;
}

function countQuestion(organisation: OrganisationId, { scope, statuses }: ListRequest): Question {
	const { where, params } = documentScope(organisation, scope);
	return { sql: `SELECT count(*) AS total FROM documents d WHERE ${where}${statusCondition(statuses)}`, params: params };
}

/** Whether an index has them in the wanted order, and no more of them are passed than can be here. */
function isAlongIndex({ scope, statuses, page }: ListRequest): boolean {
	return isUnrestricted(scope) && page.offset <= readHereMax && (areAll(statuses) || page.sort === "createdAt");
}

function pageQuestion(organisation: OrganisationId, asked: ListRequest, total: number): Question {
	const { scope, statuses, page, includeContent } = asked;
	const select = includeContent ? selectShown : selectWithoutTexts;
	if (isAlongIndex(asked) && !areAll(statuses)) return newestByStatus(organisation, asked, select);
	const documents = documentScope(organisation, scope);
	// Where many are in scope, going along the order meets enough of them soon; where few are, they are listed and put in order.
	const { where, params } = total > manyDocuments ? documents.test : documents;
	// A plus keeps SQLite from going along the order for few documents, or those that are not done: it would pass all the others.
	const isAlong = statuses.includes("done") && (total > manyDocuments || isUnrestricted(scope));
	const { after, order } = pageOrder("d", page, isAlong ? "" : "+");
	return {
		sql: `${select} WHERE ${where}${statusCondition(statuses)}${after.sql} ORDER BY ${order} LIMIT ? OFFSET ?`,
		params: [...params, ...after.params, page.limit, page.offset],
	};
}

/** The index has the documents of each status in the order of their creation: no more are read of each than are on the pages up to this one. */
function newestByStatus(organisation: OrganisationId, { statuses, page }: ListRequest, select: string): Question {
	const { after, order } = pageOrder("d", page);
	const wanted = known(statuses);
	const part = (status: DocumentStatus) =>
		`SELECT * FROM (SELECT d.rowid FROM documents d WHERE d.organisation = ? AND d.status = '${status}'${after.sql} ORDER BY ${order} LIMIT ?)`;
	const found = wanted.length === 0 ? "SELECT NULL" : wanted.map(part).join(" UNION ALL ");
	return {
		sql: `${select} WHERE d.rowid IN (${found}) ORDER BY ${order} LIMIT ? OFFSET ?`,
		params: [...wanted.flatMap(() => [organisation, ...after.params, page.offset + page.limit]), page.limit, page.offset],
	};
}

function known(statuses: readonly DocumentStatus[]): readonly DocumentStatus[] {
	return documentStatuses.filter((status) => statuses.includes(status));
}

function areAll(statuses: readonly DocumentStatus[]): boolean {
	return known(statuses).length === documentStatuses.length;
}

/** The statuses are spelled out, since they are few and fixed: then SQLite may use its index of them. */
function statusCondition(statuses: readonly DocumentStatus[]): string {
	return areAll(statuses)
		? ""
		: ` AND d.status IN (${known(statuses)
				.map((status) => `'${status}'`)
				.join(", ")})`;
}
