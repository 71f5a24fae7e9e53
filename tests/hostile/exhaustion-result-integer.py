# Returns an integer of a hundred thousand digits: an error of the program.
return 1 << 400_000
