import type { AudioFormat } from "#contract/transcriptions.ts";

/** How long a recording is. */
export interface AudioLength {
  /** about, where nobody says better */
  readonly seconds: number;
  /** as long as recordings of so many bytes are at most */
  readonly mostSeconds: number;
}

/**
 * Bytes of a second: of the lowest bit rate that encoders make of speech, and of a usual one. Only MP3 has none that is
 * lower (ISO 11172-3 and 13818-3: 8 kbit/s), and AAC's frames in ADTS have 8 bytes for 1,024 samples of 7,350 Hz at least
 * (ISO 14496-3); silence in the others may take next to nothing.
 */
const rates: Readonly<Record<AudioFormat, { least: number; usual: number }>> = {
  wav: { least: 1_000, usual: 32_000 },
  mp3: { least: 1_000, usual: 12_000 },
  mpeg: { least: 1_000, usual: 12_000 },
  mpga: { least: 1_000, usual: 12_000 },
  flac: { least: 4_000, usual: 60_000 },
  m4a: { least: 1_000, usual: 8_000 },
  mp4: { least: 1_000, usual: 8_000 },
  aac: { least: 57, usual: 8_000 },
  ogg: { least: 750, usual: 4_000 },
  oga: { least: 750, usual: 4_000 },
  opus: { least: 750, usual: 4_000 },
  webm: { least: 750, usual: 4_000 },
};

/** The longest recording that is reckoned with where neither its bytes nor its head bound it. */
export const longestSeconds = 86_400;

export function lengthOf(audio: Buffer, format: AudioFormat): AudioLength {
  const exact = waveSeconds(audio);
  if (exact !== null) return { seconds: exact, mostSeconds: exact + 1 };
  const { least, usual } = rates[format];
  const said = saidSeconds(audio);
  if (said !== null) return { seconds: said, mostSeconds: Math.max(said, audio.length / least) + 1 };
  const mostSeconds = isBounded(audio, format) ? audio.length / least + 1 : longestSeconds;
  return { seconds: Math.min(audio.length / usual, mostSeconds), mostSeconds };
}

/** Whether no recording in this format takes fewer bytes than `rates` has. */
function isBounded(audio: Buffer, format: AudioFormat): boolean {
  if (format === "mp3" || format === "mpeg" || format === "mpga") return isMpeg(audio);
  return format === "aac" && audio[0] === 0xff && ((audio[1] ?? 0) & 0xf6) === 0xf0;
}

/** What a recording's own head, or its last page, says of its length; null: nothing that can be read. */
function saidSeconds(audio: Buffer): number | null {
  const start = audio.toString("latin1", 0, 4);
  const seconds =
    start === "fLaC"
      ? flacSeconds(audio)
      : start === "OggS"
        ? oggSeconds(audio)
        : start === "\x1aE\xdf\xa3"
          ? webmSeconds(audio)
          : audio.toString("latin1", 4, 8) === "ftyp"
            ? mp4Seconds(audio)
            : mp3Seconds(audio);
  return seconds !== null && Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

/** STREAMINFO: 20 bits of sampling rate, 36 of samples (RFC 9639, section 8.2). */
function flacSeconds(audio: Buffer): number | null {
  if (audio.length < 26) return null;
  const rate = audio.readUIntBE(18, 3) >> 4;
  const samples = (audio.readUInt8(21) & 0x0f) * 2 ** 32 + audio.readUInt32BE(22);
  return rate === 0 || samples === 0 ? null : samples / rate;
}

/** The position of the last page, in samples: 48,000 a second in Opus (RFC 7845), as the head says in Vorbis. */
function oggSeconds(audio: Buffer): number | null {
  const vorbis = audio.indexOf("\x01vorbis", 0, "latin1");
  const isVorbis = vorbis !== -1 && vorbis < 512 && vorbis + 16 <= audio.length;
  const rate = isVorbis ? audio.readUInt32LE(vorbis + 12) : 48_000;
  const last = audio.lastIndexOf("OggS", undefined, "latin1");
  if (last + 14 > audio.length || rate === 0) return null;
  const position = audio.readBigUInt64LE(last + 6);
  return position >= 2n ** 63n ? null : Number(position) / rate;
}

/** The movie's head (ISO 14496-12, section 8.2.2), wherever it is in the file. */
function mp4Seconds(audio: Buffer): number | null {
  const at = audio.indexOf("mvhd", 0, "latin1") + 4;
  if (at < 4 || at + 32 > audio.length) return null;
  const isLong = audio.readUInt8(at) === 1;
  const scale = audio.readUInt32BE(at + (isLong ? 20 : 12));
  const duration = isLong ? Number(audio.readBigUInt64BE(at + 24)) : audio.readUInt32BE(at + 16);
  return scale === 0 ? null : duration / scale;
}

/** Of Matroska's head, which is near the beginning: RFC 9559, section 5.1.2. */
const headBytes = 65_536;

function webmSeconds(audio: Buffer): number | null {
  const head = audio.subarray(0, headBytes);
  const durationAt = head.indexOf("\x44\x89", 0, "latin1");
  if (durationAt === -1) return null;
  const scaleAt = head.indexOf("\x2a\xd7\xb1", 0, "latin1");
  const size = (head[scaleAt + 3] ?? 0) & 0x7f;
  const isScale = scaleAt !== -1 && size > 0 && size <= 6 && scaleAt + 4 + size <= head.length;
  const nanoseconds = isScale ? head.readUIntBE(scaleAt + 4, size) : 1_000_000;
  const kind = head[durationAt + 2];
  const from = durationAt + 3;
  if (kind === 0x84 && from + 4 <= head.length) return (head.readFloatBE(from) * nanoseconds) / 1e9;
  if (kind === 0x88 && from + 8 <= head.length) return (head.readDoubleBE(from) * nanoseconds) / 1e9;
  return null;
}

/** Behind the tag that may come first (ID3v2.4, section 3.1). */
function afterTag(audio: Buffer): number {
  if (audio.toString("latin1", 0, 3) !== "ID3" || audio.length < 10) return 0;
  return 10 + [6, 7, 8, 9].reduce((size, at) => size * 128 + ((audio[at] ?? 0) & 0x7f), 0);
}

function isMpeg(audio: Buffer): boolean {
  const at = afterTag(audio);
  return audio[at] === 0xff && ((audio[at + 1] ?? 0) & 0xe6) === 0xe2;
}

const samplingRates = [44_100, 48_000, 32_000];

/** The number of frames that encoders of a variable bit rate put into the first one. */
function mp3Seconds(audio: Buffer): number | null {
  if (!isMpeg(audio)) return null;
  const at = afterTag(audio);
  const version = ((audio[at + 1] ?? 0) >> 3) & 3;
  const base = samplingRates[((audio[at + 2] ?? 0) >> 2) & 3];
  if (base === undefined) return null;
  const rate = version === 3 ? base : version === 2 ? base / 2 : base / 4;
  const first = audio.subarray(at, at + 200);
  const xing = Math.max(first.indexOf("Xing", 0, "latin1"), first.indexOf("Info", 0, "latin1"));
  if (xing === -1 || xing + 12 > first.length || (first.readUInt32BE(xing + 4) & 1) === 0) return null;
  return (first.readUInt32BE(xing + 8) * (version === 3 ? 1_152 : 576)) / rate;
}

/** Chunks that are looked through for the format: encoders put few before it. */
const mostChunks = 64;
const [integers, floats, extensible] = [1, 3, 0xfffe];

/** Of uncompressed audio in RIFF, by its format's own figures; null: it is something else. */
function waveSeconds(audio: Buffer): number | null {
  if (audio.length < 12 || audio.toString("latin1", 0, 4) !== "RIFF" || audio.toString("latin1", 8, 12) !== "WAVE")
    return null;
  for (let at = 12, count = 0; at + 24 <= audio.length && count < mostChunks; count += 1) {
    const size = audio.readUInt32LE(at + 4);
    if (audio.toString("latin1", at, at + 4) === "fmt ") {
      const kind = audio.readUInt16LE(at + 8);
      const bytesPerSecond =
        (audio.readUInt16LE(at + 10) * audio.readUInt32LE(at + 12) * audio.readUInt16LE(at + 22)) / 8;
      const isPlain = kind === integers || kind === floats || kind === extensible;
      return isPlain && bytesPerSecond > 0 ? audio.length / bytesPerSecond : null;
    }
    at += 8 + size + (size % 2);
  }
  return null;
}
