/**
 * Converts a statement of `plugins/stores/sql` to PostgreSQL's dialect. The statements mostly use SQL that both databases have. Functions that
 * PostgreSQL lacks are created by the first migration under the same names; everything else is replaced below.
 */

const lastGiven = "(SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS seq FROM";

const replacements: readonly (readonly [RegExp, string])[] = [
	// Hints for SQLite: which index it uses, and in which order it joins tables. `CROSS JOIN` without a condition means the same in both databases.
	[/ INDEXED BY \w+/g, ""],
	[/\bCROSS JOIN (\w+(?:\([^()]*\))?(?: \w+)?)(\s+)ON\b/g, "JOIN $1$2ON"],
	// An alias without quotes would lose its capital letters.
	[/\bAS ([a-z]+[A-Z]\w*)/g, 'AS "$1"'],
	// These take any number of arguments of any type, which a function created by a migration cannot.
	[/\bjson_array\(/g, "json_build_array("],
	[/\bjson_group_array\(/g, "json_agg("],
	[/\bCAST\(([\w.]+) AS BLOB\)/g, "convert_to($1, 'UTF8')"],
	[/\bpage_count \* page_size AS bytes FROM pragma_page_count, pragma_page_size\b/g, "pg_database_size(current_database()) AS bytes"],
	// The view of this name joins all sequences, and planning that takes longer than asking one of them.
	[/\(SELECT seq FROM sqlite_sequence WHERE name = '(chunks|memories|chunk_vectors|memory_vectors)'\)/g, `${lastGiven} $1_key_seq)`],
	[/\(SELECT seq FROM sqlite_sequence WHERE name = '(\w+)'\)/g, `${lastGiven} $1_sequence_seq)`],
	// PostgreSQL allows one such clause per insert. A trigger skips a job whose id exists.
	[/(ON CONFLICT \(organisation, task, subject\)[\s\S]*?)\s+ON CONFLICT \(organisation, id\) DO NOTHING/g, "$1"],
];

const known = new Map<string, string>();
/** Size of the cache. Scopes and filters make many different statements. */
const knownMax = 1_000;

export function inPostgres(sql: string): string {
	const translated = known.get(sql) ?? translate(sql);
	if (known.size >= knownMax) known.clear();
	known.set(sql, translated);
	return translated;
}

function translate(sql: string): string {
	return replacements.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), numbered(sql));
}

/** Replaces `?3` by `$3`. A `?` without a number gets the number after the largest one before it. */
function numbered(sql: string): string {
	let largest = 0;
	return sql.replace(/'(?:[^']|'')*'|\?(\d*)/g, (found: string, digits: string | undefined) => {
		if (!found.startsWith("?")) return found;
		const number = digits === undefined || digits === "" ? largest + 1 : Number(digits);
		largest = Math.max(largest, number);
		return `$${number}`;
	});
}
