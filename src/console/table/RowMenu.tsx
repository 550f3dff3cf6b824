import { Ellipsis } from "lucide-react";
import { IconButton } from "../ui/IconButton.tsx";
import { Menu, type MenuItem } from "../ui/Menu.tsx";

interface RowMenuProps {
  /** what the actions are for, by its name */
  name: string;
  /** of the button, for what gives the focus back to it */
  id?: string;
  items: readonly MenuItem[];
}

/** Everything that can be done with the record of one row, behind a button at its end. */
export function RowMenu({ name, id, items }: RowMenuProps) {
  return (
    <Menu
      trigger={
        <IconButton id={id} label={`Actions for ${name}`}>
          <Ellipsis size={16} aria-hidden="true" />
        </IconButton>
      }
      items={items}
    />
  );
}
