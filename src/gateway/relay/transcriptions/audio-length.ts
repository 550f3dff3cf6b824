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
 * lower (ISO 11172-3 and 13818-3: 8 kbit/s); silence in the others may take less.
 */
const rates: Readonly<Record<AudioFormat, { least: number; usual: number }>> = {
  wav: { least: 1_000, usual: 32_000 },
  mp3: { least: 1_000, usual: 12_000 },
  mpeg: { least: 1_000, usual: 12_000 },
  mpga: { least: 1_000, usual: 12_000 },
  flac: { least: 4_000, usual: 60_000 },
  m4a: { least: 1_000, usual: 8_000 },
  mp4: { least: 1_000, usual: 8_000 },
  aac: { least: 1_000, usual: 8_000 },
  ogg: { least: 750, usual: 4_000 },
  oga: { least: 750, usual: 4_000 },
  opus: { least: 750, usual: 4_000 },
  webm: { least: 750, usual: 4_000 },
};

export function lengthOf(audio: Buffer, format: AudioFormat): AudioLength {
  const exact = format === "wav" ? waveSeconds(audio) : null;
  if (exact !== null) return { seconds: exact, mostSeconds: exact + 1 };
  const { least, usual } = rates[format];
  return { seconds: audio.length / usual, mostSeconds: audio.length / least + 1 };
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
