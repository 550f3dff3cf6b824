import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { FieldError } from "../../ui/Field.tsx";
import { TextInput } from "../../ui/TextInput.tsx";

interface AddBlocksProps {
  onImages: (files: File[]) => void;
  onText: () => void;
  onAddress: (address: string) => void;
}

/** The ways to a further block: images that are here, a text, an image at an address. */
export function AddBlocks({ onImages, onText, onAddress }: AddBlocksProps) {
  const [address, setAddress] = useState("");
  const [trouble, setTrouble] = useState<string | null>(null);
  function addAddress() {
    if (!/^https?:\/\/\S+$/.test(address)) return setTrouble("An address begins with https:// or http://");
    setTrouble(null);
    setAddress("");
    return onAddress(address);
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <label className="relative inline-flex h-7 items-center rounded-2 border border-line-2 bg-bg-0 px-2.5 text-12 hover:bg-bg-3 has-focus-visible:outline-2 has-focus-visible:outline-focus max-md:h-9">
          Choose images
          <input
            type="file"
            aria-label="Choose images"
            accept="image/png,image/jpeg,image/webp"
            multiple
            className="absolute inset-0 opacity-0"
            onChange={(event) => {
              onImages([...(event.target.files ?? [])]);
              event.target.value = "";
            }}
          />
        </label>
        <Button size="sm" onClick={onText}>
          Add a text
        </Button>
      </div>
      <div className="flex items-center gap-2">
        <TextInput
          size="sm"
          className="min-w-32 grow"
          aria-label="Image address"
          placeholder="or an address, fetched by the provider"
          value={address}
          onChange={(event) => setAddress(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") addAddress();
          }}
        />
        <Button size="sm" onClick={addAddress} disabledReason={address === "" && "Enter an address first"}>
          Add
        </Button>
      </div>
      {trouble && <FieldError>{trouble}</FieldError>}
    </>
  );
}
