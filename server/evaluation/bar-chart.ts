/** Draws a grouped bar chart as a self-contained SVG picture, without fonts, scripts or requests. */

export interface BarChart {
	readonly title: string;
	/** Names of the bars in each group. */
	readonly series: readonly string[];
	/** Values from 0 to 1, in the order of the series. */
	readonly groups: readonly { readonly name: string; readonly values: readonly number[] }[];
}

const height = 300;
const margin = { left: 44, right: 12, top: 34, bottom: 30 } as const;
const barWidth = 14;
const groupGap = 22;
const legendLine = 18;
/** Colours that colour-blind people can distinguish too, after Okabe & Ito. */
export const colours = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#000000"] as const;

export function barChart({ title, series, groups }: BarChart): string {
	const groupWidth = Math.max(series.length * barWidth, 70);
	const width = Math.max(360, margin.left + margin.right + groups.length * (groupWidth + groupGap));
	const baseline = margin.top + height;
	const bars = groups.flatMap(({ name, values }, groupIndex) => {
		const left = margin.left + groupGap / 2 + groupIndex * (groupWidth + groupGap);
		const middle = left + groupWidth / 2;
		return [...values.map((value, index) => bar(left + index * barWidth, baseline, value, index)), text(middle, baseline + 18, name, "middle")];
	});
	const legend = series.map((name, index) => {
		const y = baseline + margin.bottom + index * legendLine;
		return `<rect x="${margin.left}" y="${y}" width="12" height="12" fill="${colourOf(index)}"/>${text(margin.left + 18, y + 10, name, "start")}`;
	});
	const totalHeight = baseline + margin.bottom + series.length * legendLine + 8;
	return picture(title, width, totalHeight, [...grid(width, baseline), ...bars, ...legend]);
}

/** An SVG picture with a title. Its background is white, so that it can be read on a dark page too. */
export function picture(title: string, width: number, totalHeight: number, elements: readonly string[]): string {
	const openingTag = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${totalHeight}" viewBox="0 0 ${width} ${totalHeight}" font-family="sans-serif" font-size="12">`;
	const background = `<rect width="${width}" height="${totalHeight}" fill="#fff"/>`;
	return [openingTag, `<title>${escapeXml(title)}</title>`, background, text(width / 2, 20, title, "middle"), ...elements, "</svg>", ""].join("\n");
}

export function text(x: number, y: number, content: string, anchor: "start" | "middle" | "end"): string {
	return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escapeXml(content)}</text>`;
}

export function colourOf(index: number): string {
	return colours[index % colours.length] ?? colours[0];
}

function bar(x: number, baseline: number, value: number, index: number): string {
	const barHeight = Math.min(1, Math.max(0, value)) * height;
	return `<rect x="${round(x)}" y="${round(baseline - barHeight)}" width="${barWidth - 2}" height="${round(barHeight)}" fill="${colourOf(index)}"/>`;
}

function grid(width: number, baseline: number): readonly string[] {
	return [0, 0.2, 0.4, 0.6, 0.8, 1].map((value) => {
		const y = round(baseline - value * height);
		return `<line x1="${margin.left}" y1="${y}" x2="${width - margin.right}" y2="${y}" stroke="#ddd"/>${text(margin.left - 6, y + 4, `${value * 100}`, "end")}`;
	});
}

function round(value: number): number {
	return Math.round(value * 10) / 10;
}

function escapeXml(content: string): string {
	return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
