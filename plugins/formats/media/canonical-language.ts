/** Normalises the language names of files and services to BCP 47: `eng`, `english` and `en-us` alike. */

/** ISO 639-2/B codes, which Matroska and ID3 use, where they differ from those that `Intl` knows. */
const bibliographic: Readonly<Record<string, string>> = {
	alb: "sq",
	arm: "hy",
	baq: "eu",
	bur: "my",
	chi: "zh",
	cze: "cs",
	dut: "nl",
	fre: "fr",
	geo: "ka",
	ger: "de",
	gre: "el",
	ice: "is",
	mac: "mk",
	mao: "mi",
	may: "ms",
	per: "fa",
	rum: "ro",
	slo: "sk",
	tib: "bo",
	wel: "cy",
};
const unsaid: ReadonlySet<string> = new Set(["und", "zxx", "mul", "mis", "xxx", "qaa"]);
let names: ReadonlyMap<string, string> | null = null;

/** Null for `und` and for what is no language. */
export function canonicalLanguage(written: string | null | undefined): string | null {
	const plain = (written ?? "").trim().toLowerCase().replaceAll("_", "-");
	const tag = bibliographic[plain] ?? plain;
	if (unsaid.has(tag)) return null;
	if (!/^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/.test(tag)) return byName().get(tag) ?? null;
	try {
		return Intl.getCanonicalLocales(tag)[0] ?? null;
	} catch {
		return null;
	}
}

/** `english` → `en`, for all two-letter codes that have a name. Built on first use. */
function byName(): ReadonlyMap<string, string> {
	if (names !== null) return names;
	const english = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
	const letters = [..."abcdefghijklmnopqrstuvwxyz"];
	const codes = letters.flatMap((first) => letters.map((second) => first + second));
	names = new Map(
		codes
			.toReversed()
			.flatMap((code) => (english.of(code) === undefined ? [] : [[english.of(code)?.toLowerCase() ?? "", Intl.getCanonicalLocales(code)[0] ?? code] as const])),
	);
	return names;
}
