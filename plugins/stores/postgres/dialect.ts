/**
 * Says a statement of `plugins/stores/sql` in the words of PostgreSQL. The statements use what both databases understand. What is
 * left is either a function of the same name, which the first migration creates, or one of the replacements below.
 */

const replacements: readonly (readonly [RegExp, string])[] = [
	// Hints of SQLite: which index, and in which order tables are joined. Without a condition `CROSS JOIN` means the same in both.
	[/ INDEXED BY \w+/g, ""],
	[/\bCROSS JOIN (\w+(?:\([^()]*\))?(?: \w+)?)(\s+)ON\b/g, "JOIN $1$2ON"],
	// An alias without quotes would lose its capital letters.
	[/\bAS ([a-z]+[A-Z]\w*)/g, 'AS "$1"'],
	// These take any number of arguments of any type, which a function of our own cannot.
	[/\bjson_array\(/g, "json_build_array("],
	[/\bjson_group_array\(/g, "json_agg("],
	[/\bCAST\(([\w.]+) AS BLOB\)/g, "convert_to($1, 'UTF8')"],
	[/\bpage_count \* page_size AS bytes FROM pragma_page_count, pragma_page_size\b/g, "pg_database_size(current_database()) AS bytes"],
	// An insert has one such clause. A job whose id is known is passed over by a trigger.
	[/(ON CONFLICT \(organisation, task, subject\)[\s\S]*?)\s+ON CONFLICT \(organisation, id\) DO NOTHING/g, "$1"],
];

const known = new Map<string, string>();
/** Scopes and filters make many different statements. */
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

/** `?3` is `$3`. A `?` without a number is one more than the largest before it. */
function numbered(sql: string): string {
	let largest = 0;
	return sql.replace(/'(?:[^']|'')*'|\?(\d*)/g, (found: string, digits: string | undefined) => {
		if (!found.startsWith("?")) return found;
		const number = digits === undefined || digits === "" ? largest + 1 : Number(digits);
		largest = Math.max(largest, number);
		return `$${number}`;
	});
}
