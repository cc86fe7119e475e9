/** The past form of a verb: `go` → `went`, `finish` → `finished`. */

const irregular: ReadonlyMap<string, string> = new Map(
	(
		"be:was become:became begin:began break:broke bring:brought build:built buy:bought catch:caught choose:chose come:came cut:cut do:did draw:drew drink:drank " +
		"drive:drove eat:ate fall:fell feel:felt fight:fought find:found fly:flew forget:forgot get:got give:gave go:went grow:grew have:had hear:heard hold:held " +
		"hurt:hurt keep:kept know:knew lead:led learn:learned leave:left lend:lent let:let lose:lost make:made mean:meant meet:met pay:paid put:put quit:quit read:read " +
		"ride:rode run:ran say:said see:saw sell:sold send:sent set:set shoot:shot sing:sang sit:sat sleep:slept speak:spoke spend:spent stand:stood steal:stole swim:swam " +
		"take:took teach:taught tell:told think:thought throw:threw understand:understood wake:woke wear:wore win:won write:wrote"
	)
		.split(" ")
		.map((pair): [string, string] => [pair.split(":")[0] ?? "", pair.split(":")[1] ?? ""]),
);
/** A stressed short syllable doubles its last letter: `stop`, `plan`. */
const doubles = /^[^aeiou]*[aeiou][bdgklmnprt]$/;

export function pastOf(base: string): string {
	const known = irregular.get(base);
	if (known !== undefined) return known;
	if (base.endsWith("e")) return `${base}d`;
	if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ied`;
	return doubles.test(base) ? `${base}${base.at(-1)}ed` : `${base}ed`;
}
